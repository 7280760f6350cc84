/** The question that stands before the first run of a repository's workflow, and what becomes of a run that it kept from beginning. */
import type { NamedFile, PermissionInput, TurnInput } from "../contracts.ts";
import type { Row, StopReason } from "../exchange.ts";
import type { Fault } from "../model.ts";
import { identifierOf } from "../naming/identifier.ts";

/** Runs this time, and trusts nothing. */
export const ONCE = "once";
const once = { id: ONCE, name: "Run this time", kind: "allow_once" } as const;

/** How often one turn asks; what changes under every question is not run. */
export const MOST_ASKED = 5;

const consentOf = ({ ask }: TurnInput) => (ask.type === "run" ? ask.consent : undefined);
/** The files that the first question names. */
export const filesOf = (birth: TurnInput): NamedFile[] => consentOf(birth)?.files ?? [];
/** The directories that are trusted with a yes. */
export const directoriesOf = (birth: TurnInput): string[] => consentOf(birth)?.directories ?? [birth.cwd];

/**
 * The message names the directories, the workflow and the files that it reads whole: consent is given to what is shown.
 * `files`: as they are now; what is not as the first question had it is said.
 */
export function trustQuestion(birth: TurnInput, files: readonly NamedFile[]): PermissionInput {
  const { ask, cwd } = birth;
  const name = ask.type === "run" ? identifierOf(ask.workflow) : "";
  const place = directoriesOf(birth).join(" and ");
  const file = ask.type === "run" && place !== cwd ? ask.workflow.file : null;
  const paths = files.map(({ path }) => path);
  const known = new Set(filesOf(birth).map(stampOf));
  const changed = files.filter((file) => !known.has(stampOf(file))).map(({ path }) => path);
  return {
    // It stands in the log of the run that waits for it.
    run: ask.type === "run" ? ask.run : null,
    step: null,
    title: `Trust ${place}?`,
    kind: "execute",
    message: [
      `Workflow "${name}" runs commands and agents with your rights in ${cwd}.`,
      ...(file === null ? [] : [`It stands in ${quoted([file])}.`]),
      ...(paths.length === 0 ? [] : [`It reads ${quoted(paths)}.`]),
      ...(changed.length === 0 ? [] : [`Since you were asked first, this has changed: ${quoted(changed)}.`]),
      "Read it before you trust this directory.",
    ].join(" "),
    options: [
      { id: "trust", name: "Trust this directory", kind: "allow_always" },
      { id: "refuse", name: "Do not run", kind: "reject_once" },
      ...(ask.type === "run" && ask.trust === "ask or once" ? [once] : []),
    ],
    input: { cwd, workflow: name, ...(paths.length === 0 ? {} : { files: paths }) },
    timeoutMs: null,
  };
}

const stampOf = ({ path, digest }: NamedFile): string => JSON.stringify([path, digest]);
/** So that a path cannot pass for words of ours. */
const quoted = (paths: readonly string[]): string => paths.map((path) => JSON.stringify(path)).join(", ");

/** The codes of `CODES` exit with these: what a face shows of a run that was not let begin. */
const NOT_TRUSTED_EXIT = 5;
const CANCELLED_EXIT = 130;

/** The end of a run that a person was asked about and that did not begin; null where there is none. */
export function unbegunRow({ ask }: TurnInput, end: { stopReason: StopReason; fault: Fault | null }): Row | null {
  if (ask.type !== "run" || ask.run === null || !ask.trust.startsWith("ask")) return null;
  const isCancelled = end.stopReason === "cancelled";
  return {
    type: "run.completed",
    run: ask.run,
    payload: {
      workflow: identifierOf(ask.workflow),
      status: isCancelled ? "cancelled" : "failed",
      exitCode: isCancelled ? CANCELLED_EXIT : NOT_TRUSTED_EXIT,
      began: false,
      ...(end.fault === null ? {} : { error: end.fault }),
    },
  };
}
