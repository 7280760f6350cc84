/**
 * An edit that a person decides by: what goes and what comes, whole, with nothing invisible in it.
 *
 * I1. Lines that are the same at the beginning and at the end are counted; every other one is shown.
 * I2. Where the end of the text alone changes, that is said: no edit looks like none.
 */
import type { FileEdit } from "../../machines/exchange.ts";
import { safeConsent } from "../terminal/safe.ts";

/** A line of an edit: of the file's name, what it loses, what it gets, and what is said of the rest. */
export type EditLine = { kind: "file" | "removed" | "added" | "said"; text: string };

export function linesOfEdit({ path, oldText, newText }: FileEdit): EditLine[] {
  const [before, after] = [linesOf(oldText ?? ""), linesOf(newText)];
  let top = 0;
  while (top < before.length && top < after.length && before[top] === after[top]) top++;
  let bottom = 0;
  const most = Math.min(before.length, after.length) - top;
  while (bottom < most && before.at(-1 - bottom) === after.at(-1 - bottom)) bottom++;
  const said = (text: string): EditLine[] => (text === "" ? [] : [{ kind: "said", text: `… ${text}` }]);
  const same = (count: number): EditLine[] =>
    said(count === 0 ? "" : count === 1 ? "1 line as it is" : `${count} lines as they are`);
  const shown = (kind: EditLine["kind"], lines: string[]): EditLine[] =>
    lines.map((line) => ({ kind, text: safeConsent(line) }));
  return [
    { kind: "file", text: `± ${safeConsent(path)}${oldText === null ? " (new)" : ""}` },
    ...same(top),
    ...shown("removed", before.slice(top, before.length - bottom)),
    ...shown("added", after.slice(top, after.length - bottom)),
    ...same(bottom),
    ...said(atEnd(oldText, newText)),
  ];
}

/** What stands before a line of each kind. */
export const EDIT_MARKS: { readonly [kind in EditLine["kind"]]: string } = {
  file: "",
  removed: "- ",
  added: "+ ",
  said: "  ",
};

/** Without colours, for a message. */
export const editText = (edit: FileEdit): string =>
  linesOfEdit(edit)
    .map(({ kind, text }) => EDIT_MARKS[kind] + text)
    .join("\n");

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** I2. */
function atEnd(oldText: string | null, newText: string): string {
  if (oldText === null || oldText === "" || newText === "") return "";
  const [was, is] = [oldText.endsWith("\n"), newText.endsWith("\n")];
  if (was === is) return "";
  return `the last line ends ${is ? "with" : "without"} a newline now`;
}
