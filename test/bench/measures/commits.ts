/**
 * How long a commit blocks the event loop while steps follow one another, with all that SQLite does in it. The runs are
 * in this process, and its statements are timed.
 */
import { StatementSync } from "node:sqlite";
import { atMost, type Figure, milliseconds } from "../figures.ts";
import { best, chain, speaks } from "./loops.ts";

const STEPS = 100;
const ROUNDS = 40;
const GATE_MS = 5;

export async function commits(): Promise<Figure[]> {
  const { run } = StatementSync.prototype;
  const taken: number[] = [];
  StatementSync.prototype.run = function timed(this: StatementSync, ...values: unknown[]) {
    if (this.sourceSQL !== "commit") return Reflect.apply(run, this, values);
    const begun = performance.now();
    const done = Reflect.apply(run, this, values);
    taken.push(performance.now() - begun);
    return done;
  };
  try {
    await best([chain(STEPS, speaks)], ROUNDS);
  } finally {
    StatementSync.prototype.run = run;
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => taken[Math.ceil(taken.length * share) - 1] ?? Number.NaN;
  return [
    {
      what: `commit of a tick, p99.9 of ${taken.length.toLocaleString("en")} (longest ${milliseconds(at(1))})`,
      ...{ troupe: milliseconds(at(0.999)), raw: "", sdk: "", ratio: "" },
      gate: `≤ ${GATE_MS} ms`,
      verdict: atMost(at(0.999), GATE_MS),
    },
  ];
}
