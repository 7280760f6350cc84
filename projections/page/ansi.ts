/**
 * Output of programs with its colours: what a terminal would show of it, as pieces of plain text with a look.
 *
 * I1. Colours and weights are understood. Whatever else steers a terminal is left out, cut off ones too; nothing of a
 *     text becomes anything but text.
 * I2. Bidirectional and invisible characters are written out.
 * I3. A carriage return begins the line anew, as a progress bar does: with the next character, or what erases the line.
 */
import { visible } from "../../machines/visible.ts";

/** `colour`, `ground`: 0 to 15 of the terminal's colours; null is none. */
export type Painted = {
  text: string;
  colour: number | null;
  ground: number | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
};
type Look = Omit<Painted, "text">;

const PLAIN: Look = { colour: null, ground: null, bold: false, dim: false, italic: false, underline: false };
/** What steers a terminal; of a colour or a weight the codes are the first group. */
const STEERING = new RegExp(
  [
    "\\x1b\\[([0-9;:]*)m",
    "\\x1b\\[[0-9;:<=>?]*[ -/]*[@-~]",
    "\\x1b[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\|$)",
    "\\x1b\\[?[0-9;:<=>?]*$",
    "\\x1b[ -/]*[0-~]",
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]",
  ].join("|"),
  "g",
);

/** What erases all of a line whose beginning the cursor is at. */
const ERASING: ReadonlySet<string> = new Set(["\x1b[K", "\x1b[0K", "\x1b[2K"]);

/** One list a line. `first`: the look that it begins with is plain. */
export function paintedLines(text: string): Painted[][] {
  let look = PLAIN;
  return text.split("\n").map((line) => {
    const pieces: Painted[] = [];
    let last = 0;
    let isReturned = false;
    const add = (piece: string): void => {
      for (const [index, part] of piece.split("\r").entries()) {
        isReturned ||= index > 0;
        if (part === "") continue;
        if (isReturned) pieces.length = 0; // I3
        isReturned = false;
        pieces.push({ text: visible(part), ...look });
      }
    };
    for (const match of line.matchAll(STEERING)) {
      add(line.slice(last, match.index));
      last = match.index + match[0].length;
      if (match[1] !== undefined) look = changed(look, match[1]);
      if (isReturned && ERASING.has(match[0])) pieces.length = 0;
    }
    add(line.slice(last));
    return pieces;
  });
}

/** A code brings its values behind semicolons, or behind colons: there another one has a place of its own. */
function changed(look: Look, codes: string): Look {
  let now = look;
  const parts = codes.split(";");
  for (let at = 0; at < parts.length; at++) {
    const [code = 0, ...own] = (parts[at] ?? "").split(":").map(Number);
    if (code !== 38 && code !== 48 && code !== 58) {
      now = one(now, code === 4 && own[0] === 0 ? 24 : code);
      continue;
    }
    const values = own.length > 0 ? own : parts.slice(at + 1, at + 5).map(Number);
    const isMixed = values[0] === 2;
    if (own.length === 0) at += isMixed ? 4 : 2;
    // Behind colons the space of the colours may stand before it.
    const near = isMixed ? nearestOf(values.slice(own.length > 4 ? 2 : 1)) : nearest(values[1] ?? 0);
    if (code === 38) now = { ...now, colour: near };
    if (code === 48) now = { ...now, ground: near };
  }
  return now;
}

function one(look: Look, code: number): Look {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...look, bold: true };
  if (code === 2) return { ...look, dim: true };
  if (code === 3) return { ...look, italic: true };
  if (code === 4) return { ...look, underline: true };
  if (code === 22) return { ...look, bold: false, dim: false };
  if (code === 23) return { ...look, italic: false };
  if (code === 24) return { ...look, underline: false };
  if (code === 39) return { ...look, colour: null };
  if (code === 49) return { ...look, ground: null };
  if (code >= 30 && code <= 37) return { ...look, colour: code - 30 };
  if (code >= 40 && code <= 47) return { ...look, ground: code - 40 };
  if (code >= 90 && code <= 97) return { ...look, colour: code - 82 };
  if (code >= 100 && code <= 107) return { ...look, ground: code - 92 };
  return look;
}

/** Of 256 colours the nearest of the sixteen that the page has. */
function nearest(index: number): number {
  if (index < 16) return index;
  if (index >= 232) return index < 244 ? 8 : 7;
  const cube = index - 16;
  return nearestOf([Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51]);
}
function nearestOf([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const most = Math.max(red, green, blue);
  if (most < 48) return 0;
  const bit = (part: number): number => (part > most / 2 ? 1 : 0);
  return bit(red) + 2 * bit(green) + 4 * bit(blue) + (most > 200 ? 8 : 0);
}
