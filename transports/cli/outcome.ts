/** The exit code of a command that ran a workflow. */
import { facesOf } from "../../actors/looking.ts";
import type { RunResult } from "../../actors/troupe.ts";

export const CANCELLED_EXIT = 130;
/** A greater one overflows, and 256 would be success. */
const MOST_EXIT = 255;
const FAILURE_EXIT = facesOf("EXECUTION.RUN.FAILED").exit;
/** The workflow itself ended in a failure that its author wrote down, with an exit code of its own. */
const AUTHORED = "EXECUTION.RUN.FAILED";

/** A run that is parked has not failed: it waits, and that is 0. One that is cut off again has not done its work. */
export function exitCodeOf({ outcome }: RunResult): number {
  switch (outcome.status) {
    case "parked":
      return 0;
    case "interrupted":
      return facesOf("EXECUTION.STEP.INTERRUPTED").exit;
    case "completed":
      return 0;
    case "cancelled":
      return CANCELLED_EXIT;
    case "skipped":
      return facesOf("EXECUTION.RUN.SKIPPED").exit;
    case "failed": {
      const { error, exitCode } = outcome;
      if (error === undefined || error.code === AUTHORED)
        return exitCode >= 1 && exitCode <= MOST_EXIT ? exitCode : FAILURE_EXIT;
      return facesOf(error.code).exit;
    }
    default:
      return outcome satisfies never;
  }
}
