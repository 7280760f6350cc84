/**
 * The far end of a client's socket, in a process of its own. As the script in its address says, it answers in any
 * order, says things without a request, stops reading, and hangs up. It reports what it has heard over its parent's
 * channel.
 *
 * A script: `key` names it; `hold`: answers are kept until there are so many, then sent in an order of `seed`; `noise`:
 * answers to nothing, twice, and under the id's other type are sent between them; `silent`: nothing but `initialize` is
 * answered; `pauseAfter`: this many messages are read, then it waits until it may continue; `cuts`: how many messages
 * each connection in turn lives for, 0 for one that ends at once.
 */
import { WebSocketServer } from "ws";

const heard = new Map();
const of = (key) => {
  if (!heard.has(key)) heard.set(key, { ids: [], prompts: [], sockets: [] });
  return heard.get(key);
};
const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
server.on("listening", () => process.send({ pid: process.pid, port: server.address().port }));
server.on("connection", (ws, request) => {
  const script = JSON.parse(new URL(request.url, "ws://far").searchParams.get("script"));
  const { key, seed = 1, hold = 1, noise = false, silent = false, pauseAfter = Number.NaN, cuts = [] } = script;
  const { ids, prompts, sockets } = of(key);
  const lives = cuts[sockets.push(ws) - 1] ?? Number.POSITIVE_INFINITY;
  ws.on("error", () => undefined);
  if (lives === 0) return ws.terminate();
  const mine = [];
  ids.push(mine);
  const random = generator(seed);
  let kept = [];
  let count = 0;
  const say = (message) => ws.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const answer = ({ id, result }) => {
    if (noise) {
      say({ id: String(id), result: { wrong: "the id is a number" } });
      say({ id: id + 1_000_000, result: { wrong: "nobody asked" } });
    }
    say({ id, result });
    if (noise) say({ id, result: { wrong: "it was answered" } });
  };
  ws.on("message", (data) => {
    const { id, method, params } = JSON.parse(data);
    if (method === "session/prompt") prompts.push(params.prompt[0].text);
    if (++count >= lives) return ws.terminate();
    if (count === pauseAfter) ws.pause();
    if (id === undefined || method === undefined) return;
    mine.push(id);
    if (method === "initialize") return answer({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    if (silent) return;
    kept.push({ id, result: RESULTS[method](params, `${key}-${id}`) });
    if (kept.length < hold) return;
    for (const one of shuffled(kept, random)) answer(one);
    kept = [];
  });
});
process.on("message", ({ key, goOn }) => {
  const { ids, prompts, sockets } = of(key);
  if (goOn) for (const ws of sockets) ws.resume();
  else process.send({ key, ids, prompts });
});

const RESULTS = {
  "session/new": (_, id) => ({ sessionId: id }),
  "session/list": ({ cursor }) => ({ sessions: [], nextCursor: cursor?.slice(0, 32) }),
  "session/prompt": () => ({ stopReason: "end_turn" }),
};
const generator = (seed) => {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
};
function shuffled(list, random) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(random() * left.length), 1)[0]);
}
