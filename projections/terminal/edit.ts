/**
 * An edit that a person decides by: what goes and what comes, whole, with nothing invisible in it.
 *
 * I1. Lines that are the same at the beginning and at the end are counted; every other one is shown. What does not fit
 *     is wrapped.
 * I2. Where the end of the text alone changes, that is said: no edit looks like none.
 */
import type { FileEdit } from "../../machines/exchange.ts";
import { paint } from "./paint.ts";
import { safeConsent } from "./safe.ts";
import { wrap } from "./width.ts";

export type EditOptions = { colours: boolean; columns?: number | null };

export function editLines({ path, oldText, newText }: FileEdit, { colours, columns = null }: EditOptions): string[] {
  const { bold, dim, green, red } = paint(colours);
  const [before, after] = [linesOf(oldText ?? ""), linesOf(newText)];
  let top = 0;
  while (top < before.length && top < after.length && before[top] === after[top]) top++;
  let bottom = 0;
  const most = Math.min(before.length, after.length) - top;
  while (bottom < most && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom++;
  const same = (count: number): string[] =>
    count === 0 ? [] : [dim(`  … ${count === 1 ? "1 line as it is" : `${count} lines as they are`}`)];
  const shown = (mark: string, line: string, style: (text: string) => string): string[] =>
    wrap(safeConsent(line), columns === null ? null : Math.max(1, columns - 2)).map((one, index) =>
      style(`${index === 0 ? mark : " "} ${one}`),
    );
  return [
    ...wrap(`± ${safeConsent(path)}${oldText === null ? " (new)" : ""}`, columns).map(bold),
    ...same(top),
    ...before.slice(top, before.length - bottom).flatMap((line) => shown("-", line, red)),
    ...after.slice(top, after.length - bottom).flatMap((line) => shown("+", line, green)),
    ...same(bottom),
    ...atEnd(oldText, newText).map(dim),
  ];
}

/** Without colours, for a message. */
export const editText = (edit: FileEdit): string => editLines(edit, { colours: false }).join("\n");

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** I2. */
function atEnd(oldText: string | null, newText: string): string[] {
  if (oldText === null || oldText === "" || newText === "") return [];
  const [was, is] = [oldText.endsWith("\n"), newText.endsWith("\n")];
  if (was === is) return [];
  return [is ? "  … the last line ends with a newline now" : "  … the last line ends without a newline now"];
}
