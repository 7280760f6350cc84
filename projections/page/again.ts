/**
 * Where a run can be done again from, as its history shows it.
 *
 * I1. What is below a step of the run itself is done again with it. A failure that the run survived is none of those
 *     that it can be done again from by itself.
 */
import type { RunHistory, StepHistory } from "./history.ts";

/** `steps`: those of the run itself that it has come to, in the order in which it came there first. */
type Beginnings = { hasFailed: boolean; steps: string[] };

export function beginningsOf({ roots }: RunHistory): Beginnings {
  return { hasFailed: roots.some(hasFailed), steps: [...new Set(roots.map(({ name }) => name))] };
}

/**
 * Where it is done again from a step: with its round, where it is one of a loop's; else with the step of the run
 * itself.
 */
export function beginningAt(step: StepHistory): string {
  for (let at: StepHistory | null = step; at !== null && at.run === step.run; at = at.above)
    if (at.round !== null && at.above?.above === null) return step.address;
  return rootOf(step).name;
}

/** The step of the run itself that a step is, or stands in. */
export const rootOf = (step: StepHistory): StepHistory => (step.above === null ? step : rootOf(step.above));
export const hasFailed = ({ end }: StepHistory): boolean => end?.said.status === "failed";
