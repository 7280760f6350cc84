/** The lines of retries, notices and diffs. */
import type { FileEdit, RowOf } from "../../machines/exchange.ts";
import { toldLine } from "../runs/told-words.ts";
import type { Paint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { duration } from "./words.ts";

export function retryLine({ attempt, delayMs, reason }: RowOf<"step.retrying">["payload"]): string {
  const again = delayMs === 0 ? "again now" : `again in ${duration(delayMs)}`;
  return `↻ attempt ${attempt} failed: ${safeLine(reason.message)}; ${again}`;
}

export function noticeLine({ severity, message }: RowOf<"notice">["payload"], paint: Paint): string {
  const text = safeLine(message);
  switch (severity) {
    case "info":
      return paint.dim(`· ${text}`);
    case "warning":
      return `${paint.yellow("!")} ${text}`;
    case "error":
      return `${paint.red("!")} ${text}`;
    default:
      return severity satisfies never;
  }
}

/** What a person said to a step while its agent worked; nothing for a prompt. */
export const toldLines = ({ step = "", payload }: RowOf<"message.user">, paint: Paint): string[] =>
  "tell" in payload ? [paint.dim(safeLine(toldLine(step, payload)))] : [];

/** `± src/a.ts (+3 -1)`; a new file has no minus. */
export function diffLine({ path, oldText, newText }: FileEdit): string {
  const before = linesOf(oldText ?? "");
  const after = linesOf(newText);
  const left = new Map<string, number>();
  for (const line of before) left.set(line, (left.get(line) ?? 0) + 1);
  let added = 0;
  for (const line of after) {
    const many = left.get(line) ?? 0;
    if (many === 0) added += 1;
    else left.set(line, many - 1);
  }
  const removed = before.length - (after.length - added);
  const counts = removed > 0 ? `+${added} -${removed}` : `+${added}`;
  return `± ${safeLine(path)} (${oldText === null ? "new, " : ""}${counts})`;
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
