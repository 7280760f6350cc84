/** Every kind of step, cancelled over and over: in time, and nothing is left. */
import { join } from "node:path";
import { openBench, PROJECT } from "../bench/contenders.ts";
import { cancelTimes, gateOf } from "../bench/measures/cancel.ts";
import { p95 } from "../bench/measures/pace.ts";

/** Answers whether all was well. */
export async function soakCancels(runs: number): Promise<boolean> {
  const bench = openBench(join(PROJECT, "dist", "troupe.js"));
  try {
    const taken = await cancelTimes(bench, runs);
    for (const { kind, ms } of taken)
      console.log(`${kind.name}: p95 of ${ms.length} is ${p95(ms).toFixed(1)} ms (≤ ${gateOf(kind)})`);
    return taken.every(({ kind, ms }) => p95(ms) <= gateOf(kind));
  } finally {
    bench.remove();
  }
}
