/** What connections cost each other and the server: idle ones, one that stops reading, one that comes late. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds } from "../figures.ts";
import { kibibytes, mebibytes, pause, residentBytes } from "../memory.ts";
import { quantile, Socket, serve } from "../sockets.ts";

const IDLE = 1_000;
const AT_ONCE = 50;
const SETTLE_MS = 2_000;
const IDLE_GATE_KIB = 40;

async function perConnection(bench: Bench, one: Contender): Promise<number> {
  const serving = await serve(bench, one);
  const sockets: Socket[] = [];
  const open = async (count: number): Promise<void> => {
    while (sockets.length < count)
      sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => Socket.open(serving)))));
  };
  await open(AT_ONCE); // what the first ones load is no connection's cost
  await pause(SETTLE_MS);
  const before = residentBytes(serving.pid);
  await open(AT_ONCE + IDLE);
  await pause(SETTLE_MS);
  const bytes = (residentBytes(serving.pid) - before) / IDLE;
  await Promise.all(sockets.map((socket) => socket.end()));
  await serving.end();
  return bytes;
}

export async function wsIdle(bench: Bench): Promise<Figure[]> {
  const { troupe, raw, sdk } = bench;
  const floor = await perConnection(bench, raw);
  const ours = await perConnection(bench, troupe);
  const theirs = await perConnection(bench, sdk);
  return [
    {
      what: `ws: memory for each idle connection at ${IDLE.toLocaleString("en")}`,
      troupe: kibibytes(ours),
      raw: kibibytes(floor),
      sdk: kibibytes(theirs),
      ratio: "",
      gate: `≤ ${IDLE_GATE_KIB} KiB`,
      verdict: atMost(ours, IDLE_GATE_KIB * 1024),
    },
  ];
}

const SLOW_CHUNKS = 300_000;
const PACED = "stream:400@200";
const DELAY_GATE_MS = 5;
const GROWTH_GATE_MIB = 16;
const STEADY_MS = 2_500;

/** Times between the chunks of a paced stream. */
async function gaps(socket: Socket, bench: Bench): Promise<number[]> {
  const session = await socket.session(bench.cwd);
  const at: number[] = [];
  socket.onText = () => at.push(performance.now());
  await socket.prompt(session, bench.troupe.says(PACED));
  return at.slice(1).map((time, i) => time - (at[i] ?? time));
}

/** A client that stops reading while an agent says far more than any buffer holds, and another that listens. */
export async function wsSlow(bench: Bench): Promise<Figure[]> {
  const serving = await serve(bench, bench.troupe);
  const [slow, other] = [await Socket.open(serving), await Socket.open(serving)];
  for (let i = 0; i < 5; i++) await slow.gather(await slow.session(bench.cwd), bench.troupe.says("stream:20000"));
  // What the heap of a server grows to for a reader that keeps up is not the price of one that stops.
  await slow.gather(await slow.session(bench.cwd), bench.troupe.says(`stream:${SLOW_CHUNKS}`));
  await gaps(other, bench);
  const alone = quantile(await gaps(other, bench), 0.95);
  const session = await slow.session(bench.cwd);
  await pause(SETTLE_MS);
  const before = residentBytes(serving.pid);
  slow.ws.pause();
  void slow.prompt(session, bench.troupe.says(`stream:${SLOW_CHUNKS}`)).catch(() => undefined);
  let height = before;
  for (let since = performance.now(); performance.now() - since < STEADY_MS; await pause(20)) {
    const now = residentBytes(serving.pid);
    if (now <= height) continue;
    height = now;
    since = performance.now();
  }
  const beside = quantile(await gaps(other, bench), 0.95);
  await slow.end();
  await other.end();
  await serving.end();
  const delay = Math.max(0, beside - alone);
  return [
    {
      what: "ws: delay of another client's chunks by one that does not read, p95",
      troupe: milliseconds(delay),
      raw: "",
      sdk: "",
      ratio: "",
      gate: `≤ ${DELAY_GATE_MS} ms`,
      verdict: atMost(delay, DELAY_GATE_MS),
    },
    {
      what: `ws: growth with a reader that stops, ${SLOW_CHUNKS.toLocaleString("en")} chunks`,
      troupe: mebibytes(height - before),
      raw: "",
      sdk: "",
      ratio: "",
      gate: `≤ ${GROWTH_GATE_MIB} MiB`,
      verdict: atMost(height - before, GROWTH_GATE_MIB * 1024 * 1024),
    },
  ];
}

const EXCHANGES = 10_000;
const ITEMS = 3_400;
const ROUNDS = 5;
const CATCH_UP_GATE_MS = 300;
const LONG = `name: long
states:
  initial: each
  each: {type: for_each, items: [${Array.from({ length: ITEMS }, (_, i) => i).join(", ")}], body: [one], max_iterations: ${ITEMS}, on_complete: done}
  one: {type: agent, provider: understudy, options: {prompt_as_script: true}, prompt: "{{.loop.Item}}"}
  done: {type: terminal}
`;

/** A session with a long log is loaded by a client that has seen nothing of it. */
export async function wsCatchUp(bench: Bench): Promise<Figure[]> {
  writeFileSync(join(bench.cwd, ".troupe", "workflows", "long.yaml"), LONG);
  const serving = await serve(bench, bench.troupe);
  const writer = await Socket.open(serving);
  const sessionId = await writer.session(bench.cwd);
  await writer.prompt(sessionId, "/long");
  const taken: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const late = await Socket.open(serving);
    const begun = performance.now();
    await late.request("session/load", { sessionId, cwd: bench.cwd, mcpServers: [] });
    taken.push(performance.now() - begun);
    if (late.updates < ITEMS) throw new Error(`${late.updates} texts were caught up, not ${ITEMS}`);
    await late.end();
  }
  await writer.end();
  await serving.end();
  return [
    {
      what: `ws: ${EXCHANGES.toLocaleString("en")} missed exchanges caught up, median of ${ROUNDS}`,
      troupe: milliseconds(median(taken)),
      raw: "",
      sdk: "",
      ratio: "",
      gate: `≤ ${CATCH_UP_GATE_MS} ms`,
      verdict: atMost(median(taken), CATCH_UP_GATE_MS),
    },
  ];
}
