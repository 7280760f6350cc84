/** The question that stands before the first run of a repository's workflow. */
import type { PermissionInput, TurnInput } from "../births.ts";

/** Runs this time, and trusts nothing. */
export const ONCE = "once";
const once = { id: ONCE, name: "Run this time", kind: "allow_once" } as const;

/** The message names the directory and the workflow whole: consent is given to what is shown. */
export function trustQuestion({ ask, cwd }: TurnInput): PermissionInput {
  const name = ask.type === "run" ? ask.workflow.name : "";
  return {
    run: null,
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
