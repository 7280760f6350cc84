/** How a run that a schedule has started is now. */
import type { RunStand } from "../../machines/schedule/decide.ts";
import type { RunReads } from "../host/reads.ts";

/** One that was cut off does not go on by itself: it holds up no other one. */
export function standOf(runs: Pick<RunReads, "find">, run: string): RunStand {
  const found = runs.find(run, null);
  if (found === undefined) return "none";
  return found.stands === "running" || found.stands === "parked" ? "open" : "ended";
}
