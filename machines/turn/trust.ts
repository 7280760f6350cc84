/** The question that stands before the first run of a repository's workflow, and what becomes of a run that it kept from beginning. */
import type { PermissionInput, TurnInput } from "../births.ts";
import type { Row, StopReason } from "../exchange.ts";
import type { Fault } from "../model.ts";

/** Runs this time, and trusts nothing. */
export const ONCE = "once";
const once = { id: ONCE, name: "Run this time", kind: "allow_once" } as const;

/** The message names the directory and the workflow whole: consent is given to what is shown. */
export function trustQuestion({ ask, cwd }: TurnInput): PermissionInput {
  const name = ask.type === "run" ? ask.workflow.name : "";
  return {
    // It stands in the log of the run that waits for it.
    run: ask.type === "run" ? ask.run : null,
    step: null,
    title: `Trust ${cwd}?`,
    kind: "execute",
    message: `Workflow "${name}" runs commands and agents with your rights in ${cwd}. Read it before you trust this directory.`,
    options: [
      { id: "trust", name: "Trust this directory", kind: "allow_always" },
      { id: "refuse", name: "Do not run", kind: "reject_once" },
      ...(ask.type === "run" && ask.trust === "ask or once" ? [once] : []),
    ],
    input: { cwd, workflow: name },
    timeoutMs: null,
  };
}

/** The codes of `CODES` exit with these: what a face shows of a run that was not let begin. */
const NOT_TRUSTED_EXIT = 5;
const CANCELLED_EXIT = 130;

/** The end of a run that somebody was asked about and that did not begin; null where nobody was, or there is none. */
export function unbegunRow({ ask }: TurnInput, end: { stopReason: StopReason; fault: Fault | null }): Row | null {
  if (ask.type !== "run" || ask.run === null || !ask.trust.startsWith("ask")) return null;
  const isCancelled = end.stopReason === "cancelled";
  return {
    type: "run.completed",
    run: ask.run,
    payload: {
      workflow: ask.workflow.name,
      status: isCancelled ? "cancelled" : "failed",
      exitCode: isCancelled ? CANCELLED_EXIT : NOT_TRUSTED_EXIT,
      began: false,
      ...(end.fault === null ? {} : { error: end.fault }),
    },
  };
}
