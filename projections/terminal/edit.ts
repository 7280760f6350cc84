/** An edit on a terminal: coloured, and wrapped where it does not fit. */
import type { FileEdit } from "../../machines/exchange.ts";
import { EDIT_MARKS, type EditLine, linesOfEdit } from "../shared/edit.ts";
import { paint } from "./paint.ts";
import { wrap } from "./width.ts";

export type EditOptions = { colours: boolean; columns?: number | null };

export function editLines(edit: FileEdit, { colours, columns = null }: EditOptions): string[] {
  const { bold, dim, green, red } = paint(colours);
  const styles: { readonly [kind in EditLine["kind"]]: (text: string) => string } = {
    file: bold,
    removed: red,
    added: green,
    said: dim,
  };
  return linesOfEdit(edit).flatMap(({ kind, text }) => {
    const mark = EDIT_MARKS[kind];
    const lines = wrap(text, columns === null ? null : Math.max(1, columns - mark.length));
    return lines.map((line, index) => styles[kind]((index === 0 ? mark : " ".repeat(mark.length)) + line));
  });
}
