/** The time of containers and chains grows in proportion: `parallel`, `for_each` and steps through the real host, with understudies. Best of 5. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTroupe } from "../../../actors/troupe.ts";
import { begin } from "../../../machines/loop/walk.ts";
import { ORIGIN, SCOPE, whileNode } from "../../support/documents.ts";
import { atMost, type Figure, milliseconds, times } from "../figures.ts";
import { mebibytes } from "../memory.ts";

const ROUNDS = 5;
const ITERATIONS = 10_000;
const WHILE_GATE = 3_000;
const PARALLEL_GATE = 12;
/** More branches than the host keeps in memory. */
const UNCACHED_GATE = 10;
const FOR_EACH_GATE = 14;
/** The number of rounds one after another. */
const AT_ONCE_GATE = 1;
const CHAIN_GATE = 1.3;
const WRITING_STEPS = 200;
const WRITTEN_GATE_MIB = 8;

const END = "  done: {type: terminal}\n";
const whole = (states: string): string => `name: x\nstates:\n${states}${END}`;
const agent = (name: string): string => `  ${name}: {type: agent, provider: understudy, prompt: hi}\n`;
const parallel = (count: number): string => {
  const names = Array.from({ length: count }, (_, at) => `b${at}`);
  return whole(
    `  initial: a\n  a: {type: parallel, parallel: [${names.join(", ")}], on_success: done}\n${names.map(agent).join("")}`,
  );
};
const forEach = (count: number, more = "", last = ""): string => {
  const items = Array.from({ length: count }, (_, at) => at).join(", ");
  const each = `{type: for_each, items: [${items}], body: [b], max_iterations: 10000${more}, on_complete: done}`;
  return `name: x\nstates:\n  initial: a\n  a: ${each}\n${agent("b")}  done: {type: terminal${last}}\n`;
};

const RESULT_BYTES = 4_096;
/** Each step reads the result of the one before; every step prints this many bytes. */
export const chain = (count: number, work: (reads: string) => string): string => {
  const reads = (at: number) => (at === 0 ? "" : `{{if eq .states.s${at - 1}.Status \\"gone\\"}}never{{end}}`);
  const next = (at: number) => (at + 1 === count ? "done" : `s${at + 1}`);
  const steps = Array.from({ length: count }, (_, at) => `  s${at}: {${work(reads(at))}, on_success: ${next(at)}}\n`);
  return whole(`  initial: s0\n${steps.join("")}`);
};
export const speaks = (reads: string): string => `type: agent, provider: understudy, prompt: "hi${reads}"`;
const prints = (reads: string): string => `type: command, command: "printf %0${RESULT_BYTES}d 0${reads}"`;

/** Processor time of this process in milliseconds: busy neighbours do not add to it. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The shortest of five runs of each, in ms; in turn, so that a slow moment affects all. */
export async function best(
  sources: readonly string[],
  rounds = ROUNDS,
  clock = () => performance.now(),
): Promise<number[]> {
  const root = mkdtempSync(join(tmpdir(), "troupe-loops-"));
  const troupe = createTroupe({ environment: { ...process.env, TROUPE_HOME: join(root, "home") } });
  try {
    const folder = join(root, ".troupe", "workflows");
    mkdirSync(folder, { recursive: true });
    sources.forEach((source, at) => void writeFileSync(join(folder, `w${at}.yaml`), source));
    await troupe.giveTrust(root); // else a process of its own reads each large file anew
    const shortest = sources.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < rounds; round++) {
      for (const at of sources.keys()) {
        const begun = clock();
        const run = await troupe.run({ workflow: `w${at}`, inputs: {}, consent: "yes", cwd: root });
        const { outcome } = await run.done;
        if (outcome.status !== "completed") throw new Error(`w${at}: ${JSON.stringify(outcome)}`);
        shortest[at] = Math.min(shortest[at] ?? 0, clock() - begun);
      }
    }
    return shortest;
  } finally {
    await troupe.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function growth(what: string, small: string, large: string, gate: number): Promise<Figure[]> {
  const [one = Number.NaN, many = Number.NaN] = await best([small, large]);
  const ratio = many / one;
  const troupe = `${milliseconds(many)} / ${milliseconds(one)}`;
  return [{ what, troupe, raw: "", sdk: "", ratio: times(ratio), gate: `≤ ${gate}×`, verdict: atMost(ratio, gate) }];
}

/** Bytes that this process has written since it began: to its store, and a few to its children. Linux only. */
const writtenBytes = (): number => Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);

/** A chain whose results are read: the cost of a step does not grow with the steps before it. */
export async function chainedSteps(): Promise<Figure[]> {
  const [few, many] = [100, 1_600];
  const [one = Number.NaN, all = Number.NaN] = await best(
    [chain(few, speaks), chain(many, speaks)],
    ROUNDS,
    processorMs,
  );
  const ratio = all / many / (one / few);
  const line = { raw: "", sdk: "" };
  const growth: Figure = {
    ...line,
    what: `processor time of a step of a chain of ${many} with results read, against one of ${few}`,
    troupe: `${milliseconds(all / many)} / ${milliseconds(one / few)}`,
    ratio: times(ratio),
    gate: `≤ ${CHAIN_GATE}×`,
    verdict: atMost(ratio, CHAIN_GATE),
  };
  if (process.platform !== "linux") return [growth];
  const before = writtenBytes();
  await best([chain(WRITING_STEPS, prints)], 1);
  const bytes = writtenBytes() - before;
  return [
    growth,
    {
      ...line,
      what: `written by ${WRITING_STEPS} steps of 4 KiB that are read`,
      troupe: mebibytes(bytes),
      ratio: "",
      gate: `≤ ${WRITTEN_GATE_MIB} MiB`,
      verdict: atMost(bytes / 1024 ** 2, WRITTEN_GATE_MIB),
    },
  ];
}

/** An iteration without a state takes no event: only the condition is left, evaluated 10,000 times. */
export async function whileLoop(): Promise<Figure[]> {
  const node = whileNode("a", "loop.Index < 10000 and inputs.go != 'no'", [], { maxIterations: ITERATIONS });
  const input = { origin: ORIGIN, node, nodes: {}, scope: SCOPE, keep: "all" as const, items: null };
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    const { position } = begin({ ...input, maxIterations: ITERATIONS });
    shortest = Math.min(shortest, performance.now() - begun);
    if (position.next !== ITERATIONS) throw new Error(`${position.next} iterations`);
  }
  const gate = `≤ ${WHILE_GATE} ms`;
  const what = "while, 10,000 empty iterations";
  return [
    { what, troupe: milliseconds(shortest), raw: "", sdk: "", ratio: "", gate, verdict: atMost(shortest, WHILE_GATE) },
  ];
}
export const parallelBranches = async (): Promise<Figure[]> => [
  ...(await growth("parallel, 800 branches against 100", parallel(100), parallel(800), PARALLEL_GATE)),
  ...(await growth("parallel, 3,200 branches against 400", parallel(400), parallel(3_200), UNCACHED_GATE)),
];
export const forEachItems = (): Promise<Figure[]> =>
  growth("for_each, 4,000 items against 400", forEach(400), forEach(4_000), FOR_EACH_GATE);

/** Rounds at once cost no more than rounds one after another, also where their results are read in the end. */
export async function roundsAtOnce(): Promise<Figure[]> {
  const atOnce = ", max_concurrent: 16";
  const read = ', message: "{{len .states.a.Rounds}} rounds"';
  const sources = [forEach(4_000), forEach(4_000, atOnce), forEach(4_000, atOnce, read)];
  const [chain = Number.NaN, fan = Number.NaN, kept = Number.NaN] = await best(sources);
  const row = (what: string, took: number): Figure => {
    const troupe = `${milliseconds(took)} / ${milliseconds(chain)}`;
    const verdict = atMost(took / chain, AT_ONCE_GATE);
    return { what, troupe, raw: "", sdk: "", ratio: times(took / chain), gate: `≤ ${AT_ONCE_GATE}×`, verdict };
  };
  return [
    row("for_each, 4,000 items, 16 at once against one after the other", fan),
    row("the same, with all results read in the end", kept),
  ];
}
