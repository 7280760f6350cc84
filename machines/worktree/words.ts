/** What the commits of a tree say, in words that lists of steps have too. */
import { numberedOf } from "../naming/address.ts";
import { type TreePlan, WHOLE_RUN } from "./tree.ts";

type Whose = Pick<TreePlan, "run" | "step">;

/** Of the commit that holds the changes of a tree: the step, as people name it, and the run. */
export const workOf = ({ run, step }: Whose): string =>
  step === WHOLE_RUN ? `Work of run ${run}` : `Work of step ${numberedOf(step)} of run ${run}`;

/** Of the commit that is made of what is in none when the work has ended. */
export const leftoverOf = ({ run, step }: Whose): string =>
  `What ${step === WHOLE_RUN ? `run ${run}` : `step ${numberedOf(step)}`} left uncommitted`;
