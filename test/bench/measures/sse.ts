/** Events of `troupe serve` beside the raw server of events: many readers of one run, a long replay, the first event. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, pairedRatio, times } from "../figures.ts";
import { post, Reader, saidIn } from "../readers.ts";
import { quantile, type Serving, Socket, serve } from "../sockets.ts";
import { expectedText } from "./stream.ts";

const READERS = 50;
const CHUNKS = 5_000;
const WARM = 2;
const PAIRS = 7;
const RATE_GATE = 0.3;
const PACED = { count: 400, rate: 200 };
const SPREADS = 5;
const SPREAD_GATE_MS = 20;
const EXCHANGES = 100_000;
const ITEMS = 3_400;
const FIRST_BYTES = 15;
const REPLAY_GATE_MS = 50;
const STARTS = 100;
const START_GATE = 3;

/** It begins with a question, so that readers can connect before it speaks. */
const TALK = `name: talk
states:
  initial: chat
  chat: {type: agent, provider: understudy, options: {prompt_as_script: true}, mode: conversation, prompt: "hello", on_success: done}
  done: {type: terminal}
`;
const LONG = `name: long
states:
  initial: each
  each: {type: for_each, items: [${Array.from({ length: ITEMS }, (_, i) => i).join(", ")}], body: [one], max_iterations: ${ITEMS}, on_complete: done}
  one: {type: agent, provider: understudy, options: {prompt_as_script: true}, prompt: "{{.loop.Item}}"}
  done: {type: terminal}
`;

type Api = { at: string; end(): Promise<void>; serving: Serving };
/** `events`: the address for readers. `say`: makes it say this many tokens at this rate a second; 0 is as fast as possible. */
type Speaker = { events: string; say: (count: number, rate: number) => Promise<unknown> };

async function apiOf(bench: Bench, name: "troupe" | "raw"): Promise<Api> {
  const folder = join(bench.cwd, ".troupe", "workflows");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "talk.yaml"), TALK);
  writeFileSync(join(folder, "long.yaml"), LONG);
  const serving = await serve(bench, { name }, "sse");
  return { serving, at: `http://${new URL(serving.url).host}`, end: () => serving.end() };
}
const bare = ({ at }: Api): Speaker => ({
  events: `${at}/events`,
  say: (count, rate) => post(`${at}/say?count=${count}&rate=${rate}`),
});
/** A run that waits for its answer. */
async function parked({ at }: Api): Promise<Speaker> {
  const { run } = (await post(`${at}/api/runs`, { workflow: "talk" })) as { run: string };
  return {
    events: `${at}/api/runs/${run}/events`,
    say: (count, rate) =>
      post(`${at}/api/runs/${run}/answer`, { text: `stream:${count}${rate === 0 ? "" : `@${rate}`}` }),
  };
}

/** Events a second that all readers together get. */
async function rate({ events, say }: Speaker): Promise<number> {
  const readers = await Promise.all(Array.from({ length: READERS }, () => Reader.open(events)));
  const read = readers.map((reader) => reader.until(`tok${CHUNKS - 1} `));
  const begun = performance.now();
  const [ends] = await Promise.all([Promise.all(read), say(CHUNKS, 0)]);
  const ms = Math.max(...ends.map(({ at }) => at)) - begun;
  for (const { text } of ends) {
    const said = saidIn(text()).text;
    if (events.endsWith("/events") && !said.endsWith(expectedText(CHUNKS)) && events.includes("/api/"))
      throw new Error("a reader was not shown what was said");
  }
  for (const reader of readers) reader.end();
  return (READERS * CHUNKS * 1000) / ms;
}

/** For each token, the time between its arrival at the first reader and at the last. */
async function spreads({ events, say }: Speaker): Promise<number[]> {
  const { count } = PACED;
  const readers = await Promise.all(Array.from({ length: READERS }, () => Reader.open(events)));
  const arriving = readers.map((reader) => reader.arrivals(count));
  await say(count, PACED.rate);
  const arrivals = await Promise.all(arriving);
  for (const reader of readers) reader.end();
  return Array.from({ length: count }, (_, n) => {
    const at = arrivals.map((each) => each[n] ?? Number.NaN);
    return Math.max(...at) - Math.min(...at);
  });
}

export async function sseReaders(bench: Bench): Promise<Figure[]> {
  const ours = await apiOf(bench, "troupe");
  const floor = await apiOf(bench, "raw");
  const rates = { ours: [] as number[], floor: [] as number[] };
  for (let i = 0; i < WARM + PAIRS; i++) {
    const [low, high] = [await rate(bare(floor)), await rate(await parked(ours))];
    if (i < WARM) continue;
    rates.floor.push(low);
    rates.ours.push(high);
  }
  const spread = { ours: [] as number[], floor: [] as number[] };
  for (let i = 0; i < SPREADS; i++) {
    spread.floor.push(quantile(await spreads(bare(floor)), 0.95));
    spread.ours.push(quantile(await spreads(await parked(ours)), 0.95));
  }
  await floor.end();
  await ours.end();
  const shown = (all: number[]): string => `${(median(all) / 1000).toFixed(0)} k/s`;
  const ratio = pairedRatio(rates.ours, rates.floor);
  const [last, lastOfFloor] = [median(spread.ours), median(spread.floor)];
  return [
    {
      what: `sse: ${READERS} readers of one run, ${CHUNKS.toLocaleString("en")} chunks, median of ${PAIRS} pairs`,
      troupe: shown(rates.ours),
      raw: shown(rates.floor),
      sdk: "",
      ratio: times(ratio),
      gate: `≥ ${RATE_GATE}×`,
      verdict: ratio >= RATE_GATE ? "ok" : "missed",
    },
    {
      what: `sse: the last of them after the first, p95, median of ${SPREADS}`,
      troupe: milliseconds(last),
      raw: milliseconds(lastOfFloor),
      sdk: "",
      ratio: "",
      gate: `≤ ${SPREAD_GATE_MS} ms`,
      verdict: atMost(last, SPREAD_GATE_MS),
    },
  ];
}

export async function sseReplay(bench: Bench): Promise<Figure[]> {
  const { serving, at, end } = await apiOf(bench, "troupe");
  const writer = await Socket.open(serving);
  const session = await writer.session(bench.cwd);
  const perRun = 3 * ITEMS;
  for (let rows = 0; rows < EXCHANGES; rows += perRun) await writer.prompt(session, "/long");
  await writer.end();
  const taken: number[] = [];
  for (let i = 0; i < FIRST_BYTES; i++) {
    const begun = performance.now();
    const reader = await Reader.open(`${at}/api/sessions/${session}/events`);
    taken.push((await reader.first()) - begun);
    reader.end();
  }
  await end();
  return [
    {
      what: `sse: first byte of a replay of ${EXCHANGES.toLocaleString("en")} exchanges, median of ${FIRST_BYTES}`,
      troupe: milliseconds(median(taken)),
      raw: "",
      sdk: "",
      ratio: "",
      gate: `≤ ${REPLAY_GATE_MS} ms`,
      verdict: atMost(median(taken), REPLAY_GATE_MS),
    },
  ];
}

/** From the request for a run to its first text: over the API with a session of its own, and over ACP on a socket. */
export async function sseStart(bench: Bench): Promise<Figure[]> {
  const { serving, at, end } = await apiOf(bench, "troupe");
  const socket = await Socket.open(serving);
  const taken = { api: [] as number[], acp: [] as number[] };
  for (let i = 0; i < WARM * 10 + STARTS; i++) {
    const begun = performance.now();
    const { run } = (await post(`${at}/api/runs`, { workflow: "say", inputs: { text: "tok0 " } })) as { run: string };
    const reader = await Reader.open(`${at}/api/runs/${run}/events`);
    const [first] = await Promise.all([reader.first()]);
    reader.end();
    const [fresh, asked] = [performance.now(), await socket.session(bench.cwd)];
    let said = Number.NaN;
    socket.onText = () => {
      if (Number.isNaN(said)) said = performance.now();
    };
    await socket.prompt(asked, bench.troupe.says("hello"));
    if (i < WARM * 10) continue;
    taken.api.push(first - begun);
    taken.acp.push(said - fresh);
  }
  await socket.end();
  await end();
  const ratio = median(taken.api) / median(taken.acp);
  return [
    {
      what: "sse: a run's start → its first event, to a session and its first text over ACP, p50",
      troupe: `${milliseconds(median(taken.api))} / ${milliseconds(median(taken.acp))}`,
      raw: "",
      sdk: "",
      ratio: times(ratio),
      gate: `≤ ${START_GATE}×`,
      verdict: atMost(ratio, START_GATE),
    },
  ];
}
