/** The frame of the terminal UI: a line above with where one is, one below with the keys, the view between them. */
import { type Paint, paint } from "../terminal/paint.ts";
import { safeLine } from "../terminal/safe.ts";
import { graphemes, shorten, widthOf, wrap } from "../terminal/width.ts";

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

/** The place where one types. */
export const MARK = "▏";
/** Rows that stand above the view. */
export const ROWS_ABOVE = 1;
/** Rows that are left for the view, however much is to be said. */
const LEAST = 3;

/** The rows that a view has beside what is said. */
export const roomBeside = (notice: string, { width, height }: Pick<UiPlace, "width" | "height">): number =>
  Math.max(0, height - ROWS_ABOVE - Math.max(1, noticeLines(notice, width, height).length));

export function frameLines({ title, right, body, keys, notice }: Frame, place: UiPlace): string[] {
  const { width, height, colours } = place;
  const { bold, dim, yellow } = paint(colours);
  const view = Array.from({ length: roomBeside(notice, place) }, (_, row) => shorten(body[row] ?? "", width));
  const below = notice === "" ? [hintLine(keys, width, { bold, dim })] : noticeLines(notice, width, height).map(yellow);
  return [sides(bold(typedWithin(safeLine(title), width)), right, width, dim), ...view, ...below].slice(
    0,
    Math.max(1, height),
  );
}

/** Whole, where there is room for it. */
function noticeLines(notice: string, width: number, height: number): string[] {
  const lines = notice === "" ? [] : wrap(safeLine(notice), width);
  const most = Math.max(1, height - ROWS_ABOVE - LEAST);
  const last = lines.slice(most - 1).join(" ");
  return [...lines.slice(0, most - 1), ...(last === "" ? [] : [last])].map((line) => shorten(line, width));
}

/** Where one types in a title is seen, also where there is no room for all of it. */
function typedWithin(title: string, width: number): string {
  const [before = "", ...behind] = title.split(MARK);
  const room = width - widthOf(`…${MARK}…`);
  if (behind.length === 0 || widthOf(title) <= width || widthOf(before) <= room) return title;
  const seen = graphemes(before);
  let rest = widthOf(before);
  while (rest > room && seen.length > 0) rest -= widthOf(seen.shift() ?? "");
  return [`…${seen.join("")}`, ...behind].join(MARK);
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
