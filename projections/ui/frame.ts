/** The frame of the terminal UI: a line above with where one is, one below with the keys, the view between them. */
import { type Paint, paint } from "../terminal/paint.ts";
import { safeLine } from "../terminal/safe.ts";
import { shorten, widthOf } from "../terminal/width.ts";

export type UiPlace = { width: number; height: number; now: number; colours: boolean };
export type KeyHint = readonly [key: string, does: string];
/**
 * `right`: facts beside the title, what matters most first; those at the end are left out where there is no room.
 * `notice`: what was just done, or went wrong; it stands in place of the keys.
 */
export type Frame = {
  title: string;
  right: readonly string[];
  body: readonly string[];
  keys: readonly KeyHint[];
  notice: string;
};

/** Rows of a frame that are not its view's; and those of them that stand above it. */
export const ROWS_ABOVE = 1;
export const FRAME_ROWS = 2;

export function frameLines({ title, right, body, keys, notice }: Frame, { width, height, colours }: UiPlace): string[] {
  const { bold, dim, yellow } = paint(colours);
  const room = Math.max(0, height - FRAME_ROWS);
  const view = Array.from({ length: room }, (_, row) => shorten(body[row] ?? "", width));
  const below = notice === "" ? hintLine(keys, width, { bold, dim }) : yellow(shorten(safeLine(notice), width));
  return [sides(bold(safeLine(title)), right, width, dim), ...view, below].slice(0, Math.max(1, height));
}

function sides(left: string, facts: readonly string[], width: number, dim: Paint["dim"]): string {
  if (facts.length === 0) return shorten(left, width);
  const right = facts.join(" · ");
  const gap = width - widthOf(left) - widthOf(right);
  return gap < 2 ? sides(left, facts.slice(0, -1), width, dim) : left + " ".repeat(gap) + dim(right);
}
/** As many keys as there is room for; the last one, which helps further, always. */
function hintLine(keys: readonly KeyHint[], width: number, paints: Pick<Paint, "bold" | "dim">): string {
  const words = keys.map(([key, does]) => `${paints.bold(key)} ${paints.dim(does)}`);
  const last = words.at(-1) ?? "";
  let line = "";
  for (const word of words.slice(0, -1)) {
    if (widthOf(`${line}${word}  ${last}`) + 2 > width) break;
    line += `${word}  `;
  }
  return line + last;
}

/** The lines of a long view around the one that is looked at. `at`: its index. */
export function windowOf<T>(lines: readonly T[], at: number, height: number): readonly T[] {
  if (lines.length <= height) return lines;
  const from = Math.min(Math.max(0, at - Math.floor(height / 2)), lines.length - height);
  return lines.slice(from, from + height);
}
