/** `troupe serve` beside the raw socket agent and the SDK's server: start, first text, a stream, many clients. */
import type { Bench, Contender } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, pairedRatio, times } from "../figures.ts";
import { quantile, type Serving, Socket, serve } from "../sockets.ts";
import { expectedText, loggedText } from "./stream.ts";

const START_ROUNDS = 15;
const TEXT_ROUNDS = 200;
const TEXT_WARM = 50;
const CHUNKS = 20_000;
const PAIRS = 9;
const WARM = 3;
const CLIENTS = 256;
const START_GATE = 3;
const TEXT_GATE = 4;
const STREAM_GATE = 0.4;
const MANY_GATE = 3.5;

type Taken = { ours: number[]; floor: number[]; theirs: number[] };
type Client = { one: Contender; serving: Serving; socket: Socket };

/** One figure of each server in turn, each with a client that stays connected. */
async function inTurn(
  bench: Bench,
  { warm, rounds }: { warm: number; rounds: number },
  take: (client: Client) => Promise<number>,
): Promise<Taken> {
  const of = async (one: Contender): Promise<Client> => {
    const serving = await serve(bench, one);
    return { one, serving, socket: await Socket.open(serving) };
  };
  const all = [await of(bench.raw), await of(bench.troupe), await of(bench.sdk)] as const;
  const taken: Taken = { floor: [], ours: [], theirs: [] };
  for (let i = 0; i < warm + rounds; i++) {
    const [floor, ours, theirs] = [await take(all[0]), await take(all[1]), await take(all[2])];
    if (i < warm) continue;
    taken.floor.push(floor);
    taken.ours.push(ours);
    taken.theirs.push(theirs);
  }
  for (const { socket, serving } of all) {
    await socket.end();
    await serving.end();
  }
  return taken;
}

const row = (what: string, { ours, floor, theirs }: Taken, gate: number): Figure => {
  const ratio = median(ours) / median(floor);
  return {
    what,
    troupe: milliseconds(median(ours)),
    raw: milliseconds(median(floor)),
    sdk: milliseconds(median(theirs)),
    ratio: times(ratio),
    gate: `≤ ${gate}×`,
    verdict: atMost(ratio, gate),
  };
};

export async function wsStart(bench: Bench): Promise<Figure[]> {
  const once = async (one: Contender): Promise<number> => {
    const serving = await serve(bench, one);
    await serving.end();
    return serving.ms;
  };
  const taken: Taken = { ours: [], floor: [], theirs: [] };
  for (let i = 0; i < WARM; i++) for (const one of [bench.raw, bench.troupe, bench.sdk]) await once(one);
  for (let i = 0; i < START_ROUNDS; i++) {
    taken.floor.push(await once(bench.raw));
    taken.ours.push(await once(bench.troupe));
    taken.theirs.push(await once(bench.sdk));
  }
  return [row("ws: start → ready, p50", taken, START_GATE)];
}

export async function wsText(bench: Bench): Promise<Figure[]> {
  const sessions = new Map<Socket, string>();
  const taken = await inTurn(bench, { warm: TEXT_WARM, rounds: TEXT_ROUNDS }, async ({ one, socket }) => {
    const session = sessions.get(socket) ?? (await socket.session(bench.cwd));
    sessions.set(socket, session);
    let first = Number.NaN;
    socket.onText = () => {
      if (Number.isNaN(first)) first = performance.now();
    };
    const begun = performance.now();
    await socket.prompt(session, one.says("hello"));
    return first - begun;
  });
  return [row("ws: prompt → first text of a step, p50", taken, TEXT_GATE)];
}

export async function wsStream(bench: Bench): Promise<Figure[]> {
  const counts: number[] = [];
  const taken = await inTurn(bench, { warm: WARM, rounds: PAIRS }, async ({ one, socket }) => {
    const session = await socket.session(bench.cwd);
    const { ms, text, updates } = await socket.gather(session, one.says(`stream:${CHUNKS}`));
    if (text !== expectedText(CHUNKS)) throw new Error(`${one.name}: the text shown is not the text said`);
    if (one === bench.troupe && loggedText(bench.store, session) !== text)
      throw new Error("the prompt was answered before its text was in the log");
    if (one === bench.troupe) counts.push(updates);
    return (CHUNKS / ms) * 1000;
  });
  const shown = (rates: number[]): string => `${(median(rates) / 1000).toFixed(0)} k/s`;
  const ratio = pairedRatio(taken.ours, taken.floor);
  const whole = counts.slice(WARM).filter((updates) => updates === CHUNKS).length;
  return [
    {
      what: `ws: ${CHUNKS.toLocaleString("en")} chunks as updates, log durable, median of ${PAIRS} pairs`,
      troupe: shown(taken.ours),
      raw: shown(taken.floor),
      sdk: shown(taken.theirs),
      ratio: times(ratio),
      gate: `≥ ${STREAM_GATE}×`,
      verdict: ratio >= STREAM_GATE ? "ok" : "missed",
    },
    {
      what: "ws: the same, runs in which every chunk was an update of its own",
      troupe: `${whole} of ${PAIRS}`,
      raw: "",
      sdk: "",
      ratio: "",
      gate: "more than half",
      verdict: whole * 2 > PAIRS ? "ok" : "missed",
    },
  ];
}

/** The 95th percentile of this many clients that prompt at once. */
export async function wsMany(bench: Bench): Promise<Figure[]> {
  const open = async (one: Contender) => {
    const serving = await serve(bench, one);
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => Socket.open(serving)));
    const sessions = await Promise.all(clients.map((client) => client.session(bench.cwd)));
    return { one, serving, clients, sessions };
  };
  const all = [await open(bench.raw), await open(bench.troupe), await open(bench.sdk)];
  const taken = all.map((): number[] => []);
  for (let i = 0; i < WARM + PAIRS; i++)
    for (const [at, { one, clients, sessions }] of all.entries()) {
      const begun = performance.now();
      const latencies = await Promise.all(
        clients.map(async (client, n) => {
          await client.prompt(sessions[n] ?? "", one.says("hello"));
          return performance.now() - begun;
        }),
      );
      if (i >= WARM) taken[at]?.push(quantile(latencies, 0.95));
    }
  for (const { serving, clients } of all) {
    await Promise.all(clients.map((client) => client.end()));
    await serving.end();
  }
  const [floor = [], ours = [], theirs = []] = taken;
  const ratio = pairedRatio(ours, theirs);
  return [
    {
      what: `ws: ${CLIENTS} clients prompt at once, p95, median of ${PAIRS}`,
      troupe: milliseconds(median(ours)),
      raw: milliseconds(median(floor)),
      sdk: milliseconds(median(theirs)),
      ratio: `${times(ratio)} of the SDK's`,
      gate: `≤ ${MANY_GATE}× of the SDK's`,
      verdict: atMost(ratio, MANY_GATE),
    },
  ];
}
