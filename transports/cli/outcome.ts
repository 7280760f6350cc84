/** The exit code of a command that ran a workflow. */
import { facesOf, type RunResult } from "../../actors/troupe.ts";

export const CANCELLED_EXIT = 130;
/** The workflow itself ended in a failure that its author wrote down, with an exit code of its own. */
const AUTHORED = "EXECUTION.RUN.FAILED";

export function exitCodeOf({ outcome: { status, exitCode, error } }: RunResult): number {
  switch (status) {
    case "completed":
      return 0;
    case "cancelled":
      return CANCELLED_EXIT;
    case "failed":
      if (error === undefined || error.code === AUTHORED) return exitCode === 0 ? 1 : exitCode;
      return facesOf(error.code).exit;
    default:
      return status satisfies never;
  }
}
