/** The sentences that this projection says itself. Everything else it shows was said by a step or the user. */
import type { ErrorFields, RowOf, StopReason } from "../../machines/exchange.ts";
import { type Json, own, RUN_CANCELLED, type Status } from "../../machines/model.ts";
import { sentence } from "../../machines/sentence.ts";
import { visible, visibleLine } from "../../machines/visible.ts";

/** From here on a wait is told: a shorter one would be told as none. */
const SHORTEST_MS = 50;

/** `2 s`, `0.5 s`. */
const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

export const retryLine = ({ attempt, delayMs, reason }: RowOf<"step.retrying">["payload"]): string =>
  `Attempt ${attempt} failed: ${visible(reason.message)}. ${delayMs >= SHORTEST_MS ? `Trying again in ${seconds(delayMs)}.` : "Trying again."}`;

/** What stands in the card of a step or call that did not succeed. */
export function endLine(status: "completed" | "failed" | "cancelled" | "skipped", error?: ErrorFields): string | null {
  switch (status) {
    case "completed":
      return null;
    case "failed":
      return visible(error?.message ?? "Failed");
    case "cancelled":
      return "Cancelled";
    case "skipped":
      return error === undefined ? "Skipped" : `Skipped: ${visible(error.message)}`;
    default:
      return status satisfies never;
  }
}

/** `at`: the title of the step that failed last. */
function failureLine(workflow: string, at: string | null, error: ErrorFields | undefined): string {
  const place = at === null ? "" : ` at "${at}"`;
  return `Workflow "${workflow}" failed${place}: ${error?.message ?? "no reason was given"}`;
}

/** How a run ended that neither completed nor failed. `at`: the title of the step that stopped it, where one did. */
function stoppedLine(
  status: Status,
  workflow: string,
  at: string | null,
  error: ErrorFields | undefined,
): string | null {
  if (status === "skipped") return `Workflow "${workflow}" was skipped: ${error?.message ?? "a step was not approved"}`;
  if (status !== "cancelled") return null;
  return error === undefined || error.code === RUN_CANCELLED
    ? `Workflow "${workflow}" was cancelled.`
    : `Workflow "${workflow}" was stopped${at === null ? "" : ` at "${at}"`}: ${error.message}`;
}

const AGAIN = 'Once its cause is mended, "/rerun failed" does that step again, and what comes after it.';

/**
 * What is said at the end of a run that began, each with the name of its paragraph. `at`: the title of the step that failed
 * last, or stopped it; `isAlive`: a step has spoken.
 */
export function endOfRunLines(
  { workflow, status, error, message = "" }: RowOf<"run.completed">["payload"],
  at: string | null,
  isAlive: boolean,
): [name: string, text: string][] {
  const lines: [string, string][] = [];
  if (status === "failed") lines.push(["failure", failureLine(workflow, at, error)]);
  const stopped = stoppedLine(status, workflow, at, error);
  if (stopped !== null) lines.push([status, stopped]);
  if (message !== "") lines.push(["message", message]);
  else if (status === "completed" && !isAlive) lines.push(["end", `Workflow "${workflow}" completed.`]);
  if (status === "failed" && at !== null) lines.push(["again", AGAIN]);
  return lines;
}

/** What a turn says at its end where nothing was said in it. `waits`: a run still waits. */
export function endOfTurnLine(stopReason: StopReason, error: ErrorFields | undefined, waits: boolean): string {
  if (error !== undefined) return sentence(error.message);
  if (stopReason === "cancelled") return "Cancelled.";
  return waits ? "Waiting for your answer." : "The turn is over.";
}

export const noticeLine = ({ severity, message }: RowOf<"notice">["payload"]): string =>
  `${severity === "error" ? "Error" : "Warning"}: ${message}`;

/** Of what kind something is that an agent sent in a form that is not known here, as far as it says so. */
export function kindOf(kept: Json): string {
  const fields = typeof kept === "object" && kept !== null && !Array.isArray(kept) ? kept : {};
  const kind = own(fields, "sessionUpdate") ?? own(fields, "type");
  return typeof kind === "string" ? visibleLine(kind).slice(0, 100) : "";
}
export const unknownUpdateLine = (kind: string): string =>
  kind === ""
    ? "[an update of the agent of an unknown kind]"
    : `[an update of the agent of an unknown kind or form: "${kind}"]`;

export const unknownLine = (type: string): string => `[a record of the unknown type "${type}"]`;
