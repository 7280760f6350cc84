/** How a program ended, in words: by its exit code, or by the signal that killed it. */
import type { ErrorFields } from "../../machines/exchange.ts";

/** What a command step is reported with whose program ended otherwise than well. */
export const EXITED = "EXECUTION.COMMAND.FAILED";
const SIGNAL = / was ended by (SIG[A-Z0-9]+)$/;

/** `exit 3`; `killed by SIGKILL, exit 137`. */
export function exitWord(exitCode: number, error: ErrorFields | null | undefined): string {
  const signal = error?.code === EXITED ? SIGNAL.exec(error.message)?.[1] : undefined;
  return signal === undefined ? `exit ${exitCode}` : `killed by ${signal}, exit ${exitCode}`;
}
