/**
 * The cost of 100,000 runs that wait for a person: memory, an answer, the start of the next process, a page of the
 * list.
 *
 * TROUPE_BENCH_PARKED sets another number of runs; the gates are for 100,000.
 */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Client } from "../client.ts";
import { type Bench, PROJECT } from "../contenders.ts";
import { atMost, type Figure, milliseconds, pairedRatio, times } from "../figures.ts";
import { mebibytes } from "../memory.ts";
import type { Parked } from "../programs/park.ts";

const PARKED = Number(process.env["TROUPE_BENCH_PARKED"] ?? 100_000);
const ANSWERED = 1_000;
const STARTS = 15;
const GATES = { mib: 100, answer: 10, page: 5, start: 1.3 };

const WORKFLOW = `name: talk
states:
  initial: chat
  chat: {type: agent, provider: understudy, options: {prompt_as_script: true}, mode: conversation, prompt: "Who are you?", on_success: done}
  done: {type: terminal}
`;

export const p95 = (values: readonly number[]): number => {
  const found = values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1];
  if (found === undefined) throw new Error("no values");
  return found;
};

/** Milliseconds from the start of a process to its first session. */
export async function startMs(argv: string[], cwd: string, env: { [name: string]: string }): Promise<number> {
  const began = performance.now();
  const client = new Client({ argv, cwd, env });
  await client.initialize();
  await client.session(cwd);
  const ms = performance.now() - began;
  await client.end();
  return ms;
}

export async function parked({ program, cwd, store }: Bench): Promise<Figure[]> {
  const place = join(cwd, "parked");
  mkdirSync(join(place, ".troupe", "workflows"), { recursive: true });
  writeFileSync(join(place, ".troupe", "workflows", "talk.yaml"), WORKFLOW);
  const env = (home: string) => ({
    PATH: process.env["PATH"] ?? "",
    HOME: dirname(dirname(store)),
    TMPDIR: dirname(cwd),
    TROUPE_HOME: join(cwd, home),
    TROUPE_TRUST: "1",
  });
  const park = join(PROJECT, "test", "bench", "programs", "park.ts");
  const argv = ["--expose-gc", park, join(dirname(program), "index.js"), place, String(PARKED), String(ANSWERED)];
  const run = await promisify(execFile)(process.execPath, argv, { env: env("full"), maxBuffer: 64 * 1024 ** 2 });
  const { before, after, answers, pages } = JSON.parse(run.stdout) as Parked;

  const starts: { full: number[]; empty: number[] } = { full: [], empty: [] };
  for (let i = 0; i < STARTS; i++) {
    for (const home of ["empty", "full"] as const)
      starts[home].push(await startMs([process.execPath, program, "acp"], place, env(home)));
  }
  const ratio = pairedRatio(starts.full, starts.empty);
  const many = PARKED.toLocaleString("en");
  const line = { raw: "", sdk: "", ratio: "" };
  return [
    {
      ...line,
      what: `growth of memory with ${many} parked runs`,
      troupe: mebibytes(after - before),
      gate: `≤ ${GATES.mib} MiB`,
      verdict: atMost((after - before) / 1024 ** 2, GATES.mib),
    },
    {
      ...line,
      what: `an answer to one of them, to its run's end, p95 of ${ANSWERED.toLocaleString("en")}`,
      troupe: milliseconds(p95(answers)),
      gate: `≤ ${GATES.answer} ms`,
      verdict: atMost(p95(answers), GATES.answer),
    },
    {
      ...line,
      what: "a page of the list of sessions beside them, p95",
      troupe: milliseconds(p95(pages)),
      gate: `≤ ${GATES.page} ms`,
      verdict: atMost(p95(pages), GATES.page),
    },
    {
      ...line,
      what: "start → first session beside them, to the same with an empty store",
      troupe: `${milliseconds(Math.min(...starts.full))} / ${milliseconds(Math.min(...starts.empty))}`,
      ratio: times(ratio),
      gate: `≤ ${GATES.start}×`,
      verdict: atMost(ratio, GATES.start),
    },
  ];
}
