/**
 * The limits of a server switched off: what each of them stops then passes, so that it is the limit that stops it.
 * How long something is not done is counted in the pings of another server.
 */
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { childrenOf, type House, openHouse } from "../../support/house.ts";
import { muteSocket, type Server, SocketClient, startServer, updatesOf } from "../../support/server.ts";

const HUGE = 999_999_999;
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/say.yaml", "acceptance/asleep.yaml"]);
});
afterEach(() => house.leave());
const limited = (limits: { [name: string]: number }): Promise<Server> =>
  startServer(
    house,
    Object.entries(limits).flatMap(([name, value]) => ["--limit", `${name}=${value}`]),
    { TROUPE_TRUST: "1" },
  );
/** Resolves after a second, told by a server that pings every 250 ms. It puts out who answers one too late: who comes again. */
async function aSecond(): Promise<void> {
  const { url } = await limited({ pingMs: 250 });
  for (let pings = 0; pings < 4; ) {
    const { ws, closed } = await SocketClient.open(url);
    await Promise.race([new Promise<void>((resolve) => ws.on("ping", () => ++pings === 4 && resolve())), closed]);
    ws.terminate();
  }
}

test("connections: more than 32 come in", async () => {
  const server = await limited({ connections: 1_000 });
  const clients = await Promise.all(Array.from({ length: 60 }, () => SocketClient.ready(server.url)));
  expect(clients.every(({ ws }) => ws.readyState === WebSocket.OPEN)).toBe(true);
  for (const { ws } of clients) ws.terminate();
});

test("connections: one principal takes all places", async () => {
  const server = await limited({ connections: 3, connectionsPerPrincipal: 3 });
  const clients = await Promise.all([1, 2, 3].map(() => SocketClient.ready(server.url)));
  await expect(SocketClient.ready(server.url)).rejects.toThrow("503");
  for (const { ws } of clients) ws.terminate();
});

test("times: a client that never closes stays, and what runs continues without its client", async () => {
  const server = await limited({ initializeMs: 1_500, closeMs: HUGE, disconnectGraceMs: HUGE });
  const client = await SocketClient.ready(server.url);
  const session = await client.session(house.cwd);
  client.prompt(session, "/asleep");
  await client.hears("asleep now");
  client.ws.terminate();
  const mute = await muteSocket(server);
  await once(mute, "data"); // the server's goodbye
  await aSecond();
  expect([mute.readyState, childrenOf(server.process.owner).length]).toEqual(["open", 1]);
  mute.destroy();
});

test("times: who does not initialise, send its headers, or answer pings, stays", async () => {
  const server = await limited({ initializeMs: HUGE, handshakeMs: HUGE, pingMs: HUGE });
  const idle = await SocketClient.open(server.url, { autoPong: false });
  const slow = connect(server.port, "127.0.0.1");
  slow.write("GET /acp HTTP/1.1\r\nHost: ");
  await aSecond();
  expect([idle.ws.readyState, slow.readyState]).toEqual([WebSocket.OPEN, "open"]);
  slow.destroy();
  await idle.leave();
});

test("sizes: long headers, large frames and many requests are taken", async () => {
  const server = await limited({ headerBytes: 64 * 1024, requestsInFlight: 1_000, frameBytes: 64 * 1024 * 1024 });
  const large = await fetch(`http://127.0.0.1:${server.port}/acp`, { headers: { x: "y".repeat(9_000) } });
  expect(large.status).toBe(426);
  const client = await SocketClient.ready(server.url);
  const answers = await Promise.all(Array.from({ length: 300 }, () => client.request("session/list", {})));
  expect(answers.filter(({ error }) => error !== undefined)).toEqual([]);
  client.ws.send("x".repeat(17 * 1024 * 1024));
  await client.hears("message_too_large");
  expect(await client.request("session/list", {})).toMatchObject({ result: {} });
  await client.leave();
});

test("a reader that stops is left alone, and gets everything when it reads on", async () => {
  const words = 60_000;
  const server = await limited({ stallMs: HUGE });
  const slow = await SocketClient.ready(server.url);
  const session = await slow.session(house.cwd);
  const answer = slow.prompt(session, `/say stream:${words}`);
  await slow.hears("tok0 ");
  slow.ws.pause();
  await aSecond();
  expect(server.process.stderr).not.toContain("closed a connection");
  slow.ws.resume();
  expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
  const text = updatesOf(slow, session)
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => (content as { text: string }).text)
    .join("");
  expect(text).toBe(Array.from({ length: words }, (_, i) => `tok${i} `).join(""));
  await slow.leave();
});
