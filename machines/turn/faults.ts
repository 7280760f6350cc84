/** Why a turn ended without its run. */
import { type Fault, RUN_CANCELLED } from "../model.ts";

export const REFUSED: Fault = {
  code: "USER.TRUST.REFUSED",
  message: "this directory is not trusted: no workflow was run",
};
export const UNANSWERED: Fault = {
  code: "USER.TRUST.REFUSED",
  message:
    "this directory is not trusted, and the question had no answer: no workflow was run. Send the prompt again to be asked again.",
};
export const CANCELLED: Fault = { code: RUN_CANCELLED, message: "the prompt was cancelled: no workflow was run" };
export const INTERRUPTED: Fault = { code: "SYSTEM.PROCESS.LOST", message: "the process that ran this turn ended" };
export const CHANGING: Fault = {
  code: "USER.TRUST.REFUSED",
  message:
    "files that the workflow reads changed again and again while consent was asked for: no workflow was run. Send the prompt again to be asked again.",
};
/** `elsewhere`: the directory of the workflow, where that is not the run's. */
export const noUser = (elsewhere: readonly string[]): Fault => ({
  code: "USER.TRUST.REQUIRED",
  message: `${elsewhere[0] ?? "this directory"} is not trusted yet, and there is no user to ask: read the workflow, then \`troupe trust add ${elsewhere.length === 0 ? "." : "<directory>"}\`, or let it run this once by --trust, by TROUPE_TRUST=1, or in a program by consent: "yes"`,
});
