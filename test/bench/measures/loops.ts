/** Containers grow in a straight line: `parallel` and `for_each` through the real host, with understudies. Best of 5. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTroupe } from "../../../actors/troupe.ts";
import { begin } from "../../../machines/loop/walk.ts";
import { ORIGIN, SCOPE, whileNode } from "../../support/documents.ts";
import { atMost, type Figure, milliseconds, times } from "../figures.ts";

const ROUNDS = 5;
const ITERATIONS = 10_000;
const WHILE_GATE = 3_000;
const PARALLEL_GATE = 12;
const FOR_EACH_GATE = 14;

const END = "  done: {type: terminal}\n";
const whole = (states: string): string => `name: x\nstates:\n${states}${END}`;
const agent = (name: string): string => `  ${name}: {type: agent, provider: understudy, prompt: hi}\n`;
const parallel = (count: number): string => {
  const names = Array.from({ length: count }, (_, at) => `b${at}`);
  return whole(
    `  initial: a\n  a: {type: parallel, parallel: [${names.join(", ")}], on_success: done}\n${names.map(agent).join("")}`,
  );
};
const forEach = (count: number): string => {
  const items = Array.from({ length: count }, (_, at) => at).join(", ");
  return whole(
    `  initial: a\n  a: {type: for_each, items: [${items}], body: [b], max_iterations: 10000, on_complete: done}\n${agent("b")}`,
  );
};

/** The shortest of five runs of each, in ms; each in turn, so that a slow moment hits all. */
async function best(sources: readonly string[]): Promise<number[]> {
  const root = mkdtempSync(join(tmpdir(), "troupe-loops-"));
  const troupe = createTroupe({ environment: { ...process.env, TROUPE_HOME: join(root, "home") } });
  try {
    const folder = join(root, ".troupe", "workflows");
    mkdirSync(folder, { recursive: true });
    sources.forEach((source, at) => void writeFileSync(join(folder, `w${at}.yaml`), source));
    const shortest = sources.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < ROUNDS; round++) {
      for (const at of sources.keys()) {
        const begun = performance.now();
        const run = await troupe.run({ workflow: `w${at}`, inputs: {}, consent: "yes", cwd: root });
        const { outcome } = await run.done;
        if (outcome.status !== "completed") throw new Error(`w${at}: ${JSON.stringify(outcome)}`);
        shortest[at] = Math.min(shortest[at] ?? 0, performance.now() - begun);
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

/** An iteration without a state takes no event: what is left is the condition, judged 10,000 times. */
export async function whileLoop(): Promise<Figure[]> {
  const node = whileNode("a", "loop.Index < 10000 and inputs.go != 'no'", [], { maxIterations: ITERATIONS });
  const input = { origin: ORIGIN, node, nodes: {}, scope: SCOPE, keep: "all" as const, items: null };
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    const { position } = begin({ ...input, maxIterations: ITERATIONS });
    shortest = Math.min(shortest, performance.now() - begun);
    if (position.iteration !== ITERATIONS) throw new Error(`${position.iteration} iterations`);
  }
  const gate = `≤ ${WHILE_GATE} ms`;
  const what = "while, 10,000 empty iterations";
  return [
    { what, troupe: milliseconds(shortest), raw: "", sdk: "", ratio: "", gate, verdict: atMost(shortest, WHILE_GATE) },
  ];
}
export const parallelBranches = (): Promise<Figure[]> =>
  growth("parallel, 800 branches against 100", parallel(100), parallel(800), PARALLEL_GATE);
export const forEachItems = (): Promise<Figure[]> =>
  growth("for_each, 4,000 items against 400", forEach(400), forEach(4_000), FOR_EACH_GATE);
