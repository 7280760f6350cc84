/** The cost of processes: a stream while 16 start, a step of `true`, and a chain of 100 of them, against bare spawns. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../client.ts";
import { type Bench, PROJECT } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, pairedRatio, times } from "../figures.ts";
import { Bare } from "./bare.ts";
import { p95, paced, type Span } from "./pace.ts";

const SHELL = ["/bin/sh", "-c", "true"] as const;
const STEPS = 16;
const CHUNKS = 800;
const BEFORE_MS = 150;
const ROUNDS = 12;
const ALONE_GATE = 2;
const BESIDE_GATE = 5;

const END = "  done: {type: terminal}\n";
function together(name: string, count: number): string {
  const branches = Array.from({ length: count }, (_, at) => `b${at}`);
  return `name: ${name}\nstates:\n  initial: all\n  all: {type: parallel, parallel: [${branches.join(", ")}], on_success: done}\n${branches.map((branch) => `  ${branch}: {type: command, command: "true"}\n`).join("")}${END}`;
}
const chain = (name: string, length: number): string =>
  `name: ${name}\nstates:\n  initial: s0\n${Array.from({ length }, (_, at) => `  s${at}: {type: command, command: "true", on_success: ${at + 1 === length ? "done" : `s${at + 1}`}}\n`).join("")}${END}`;

function workflows({ cwd }: Bench): void {
  const folder = join(cwd, ".troupe", "workflows");
  writeFileSync(join(folder, "sixteen.yaml"), together("sixteen", STEPS));
  writeFileSync(join(folder, "together.yaml"), together("together", 100));
  writeFileSync(join(folder, "lone.yaml"), chain("lone", 1));
  writeFileSync(join(folder, "chain.yaml"), chain("chain", 100));
}
const environment = (): { [name: string]: string } => ({ PATH: process.env["PATH"] ?? "" });

async function timed(work: () => Promise<unknown>): Promise<Span> {
  const from = performance.now();
  await work();
  return { from, to: performance.now() };
}

/** A stream at 1,000 chunks a second, alone and while 16 processes start: the p95 of lateness of each, in ms. */
export async function beside(bench: Bench): Promise<Figure[]> {
  workflows(bench);
  const bare = new Bare(environment());
  const paceable = join(PROJECT, "test", "bench", "floor", "paced-stdio.mjs");
  const raw = new Client({ argv: [process.execPath, paceable], cwd: bench.cwd, env: environment() });
  await raw.initialize();
  const troupe = await bench.troupe.ready();
  const [rawSession, session, other] = [
    await raw.session(bench.cwd),
    await troupe.session(bench.cwd),
    await troupe.session(bench.cwd),
  ];
  const sides = [
    { client: raw, session: rawSession, says: bench.raw.says, storm: () => bare.start(SHELL, STEPS, true) },
    { client: troupe, session, says: bench.troupe.says, storm: () => troupe.prompt(other, "/sixteen") },
  ] as const;
  const alone: number[][] = [[], []];
  const stormy: number[][] = [[], []];
  const took: number[][] = [[], []];
  for (let round = -2; round < ROUNDS; round++) {
    for (const [at, { client, session, says, storm }] of sides.entries()) {
      const quiet = await paced(client, session, CHUNKS / 2, says);
      const stream = paced(client, session, CHUNKS, says);
      await sleep(BEFORE_MS);
      const span = await timed(storm);
      const { between } = await stream;
      if (round < 0) continue;
      alone[at]?.push(...quiet.late);
      stormy[at]?.push(...between(span));
      took[at]?.push(span.to - span.from);
    }
  }
  bare.end();
  await Promise.all([raw.end(), troupe.end()]);
  const figure = (what: string, [floor = [], ours = []]: number[][], gate: number): Figure => {
    const added = p95(ours) - p95(floor);
    const ratio = `${added < 0 ? "-" : "+"}${milliseconds(Math.abs(added))}`;
    const verdict = atMost(added, gate);
    return {
      what,
      troupe: milliseconds(p95(ours)),
      raw: milliseconds(p95(floor)),
      sdk: "",
      ratio,
      gate: `≤ +${gate} ms`,
      verdict,
    };
  };
  const [bareMs = [], stepsMs = []] = took;
  const each = `${milliseconds(median(stepsMs))}, bare ${milliseconds(median(bareMs))}`;
  return [
    figure("1,000 chunks/s, lateness p95", alone, ALONE_GATE),
    figure(`the same while ${STEPS} steps start (${each}), p95`, stormy, BESIDE_GATE),
  ];
}

/** A step of `true` from its first update to its last, and a chain of 100 with its log, against as many bare spawns; 100 in parallel, against the chain. */
export async function command(bench: Bench): Promise<Figure[]> {
  workflows(bench);
  const bare = new Bare(environment());
  const troupe = await bench.troupe.ready();
  const session = await troupe.session(bench.cwd);
  const lone = async (): Promise<number> => {
    let first = Number.NaN;
    let last = Number.NaN;
    troupe.onUpdate = (_, { sessionUpdate }) => {
      if (!sessionUpdate.startsWith("tool_call")) return;
      last = performance.now();
      if (Number.isNaN(first)) first = last;
    };
    await troupe.prompt(session, "/lone");
    if (!(last > first)) throw new Error("a step without a beginning and an end");
    return last - first;
  };
  const loneMs: number[] = [];
  const oneMs: number[] = [];
  for (let round = -10; round < 60; round++) {
    const [one, ours] = [median((await bare.start(SHELL, 1, false)).each), await lone()];
    if (round < 0) continue;
    oneMs.push(one);
    loneMs.push(ours);
  }
  troupe.onUpdate = undefined;
  const chainMs: number[] = [];
  const hundredMs: number[] = [];
  const togetherMs: number[] = [];
  for (let round = -1; round < 5; round++) {
    const { all } = await bare.start(SHELL, 100, false);
    const { from, to } = await timed(() => troupe.prompt(session, "/chain"));
    const all100 = await timed(() => troupe.prompt(session, "/together"));
    if (round < 0) continue;
    togetherMs.push(all100.to - all100.from);
    hundredMs.push(all);
    chainMs.push(to - from);
  }
  bare.end();
  await troupe.end();
  const figure = (what: string, ours: number[], floor: number[], gate: number): Figure => {
    const ratio = pairedRatio(ours, floor);
    const [troupe, raw] = [milliseconds(median(ours)), milliseconds(median(floor))];
    return { what, troupe, raw, sdk: "", ratio: times(ratio), gate: `≤ ${gate}×`, verdict: atMost(ratio, gate) };
  };
  return [
    figure("a step of `true`, to a bare spawn, p50", loneMs, oneMs, 1.3),
    figure("a chain of 100 steps of `true` with its log, to 100 bare spawns", chainMs, hundredMs, 1.5),
    {
      ...figure("100 commands in parallel, to a chain of as many", togetherMs, chainMs, 0.7),
      troupe: `${milliseconds(median(togetherMs))} / ${milliseconds(median(chainMs))}`,
      raw: "",
    },
  ];
}
