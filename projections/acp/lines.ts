/** The sentences that this projection says itself. Everything else it shows was said by a step or the user. */
import type { ErrorFields, RowOf } from "../../machines/exchange.ts";

/** Text from outside as one line without anything invisible. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();

/** `2 s`, `0.5 s`. */
const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

export const retryLine = ({ attempt, delayMs, reason }: RowOf<"step.retrying">["payload"]): string =>
  `Attempt ${attempt} failed: ${reason.message}. ${delayMs > 0 ? `Trying again in ${seconds(delayMs)}.` : "Trying again."}`;

/** What stands in the card of a step or call that did not succeed. */
export function endLine(status: "completed" | "failed" | "cancelled" | "skipped", error?: ErrorFields): string | null {
  switch (status) {
    case "completed":
      return null;
    case "failed":
      return error?.message ?? "Failed";
    case "cancelled":
      return "Cancelled";
    case "skipped":
      return "Skipped";
    default:
      return status satisfies never;
  }
}

/** `at`: the title of the step that failed last. */
export function failureLine(workflow: string, at: string | null, error: ErrorFields | undefined): string {
  const place = at === null ? "" : ` at "${at}"`;
  return `Workflow "${workflow}" failed${place}: ${error?.message ?? "no reason was given"}`;
}

export const successLine = (workflow: string): string => `Workflow "${workflow}" completed.`;

export const noticeLine = ({ severity, message }: RowOf<"notice">["payload"]): string =>
  `${severity === "error" ? "Error" : "Warning"}: ${message}`;

export const unknownLine = (type: string): string => `[a record of the unknown type "${type}"]`;
