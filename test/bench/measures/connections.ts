/** What connections cost the server: idle ones, and one that joins late. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds } from "../figures.ts";
import { kibibytes, pause, residentBytes } from "../memory.ts";
import { Socket, serve } from "../sockets.ts";

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
  await open(AT_ONCE); // the first ones load code, which is no cost of a connection
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
