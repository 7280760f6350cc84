/** Durations, ages and widths in the words of the terminal. */
import stringWidth from "string-width";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ESCAPE = "\u001b";
/** Our own colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours begin with
const COLOUR = /\u001b\[\d+m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours begin with
const COLOUR_APART = /(\u001b\[\d+m)/;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Milliseconds as `40ms`, `1.2s`, `3m 5s`, `2h 4m`. */
export function duration(ms: number): string {
  const span = Math.max(0, Math.round(ms));
  if (span < SECOND) return `${span}ms`;
  if (span < MINUTE) return `${(Math.floor(span / 100) / 10).toFixed(1)}s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m ${Math.floor((span % MINUTE) / SECOND)}s`;
  return `${Math.floor(span / HOUR)}h ${Math.floor((span % HOUR) / MINUTE)}m`;
}

/** How long something takes so far, in whole seconds: `12s`, `3m 5s`, `2h 4m`. */
export const elapsed = (ms: number): string =>
  ms < MINUTE ? `${Math.max(0, Math.floor(ms / SECOND))}s` : duration(Math.floor(ms / SECOND) * SECOND);

/** How long ago something was, both in milliseconds since the epoch. */
export function age(at: number, now: number): string {
  const span = Math.max(0, now - at);
  if (span < MINUTE) return "just now";
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m ago`;
  if (span < DAY) return `${Math.floor(span / HOUR)}h ago`;
  return `${Math.floor(span / DAY)}d ago`;
}

/** Cells that a text takes on a terminal; our own colours take none. */
export function widthOf(text: string): number {
  const plain = text.includes(ESCAPE) ? text.replace(COLOUR, "") : text;
  return PRINTABLE_ASCII.test(plain) ? plain.length : knownWidth(plain);
}

/** A screen draws the same lines again and again: what was measured last is not measured anew. */
const measured = new Map<string, number>();
const MOST_MEASURED = 512;
const LONGEST_MEASURED = 200;
function knownWidth(text: string): number {
  const known = measured.get(text);
  if (known !== undefined) return known;
  const width = stringWidth(text);
  if (text.length > LONGEST_MEASURED) return width;
  if (measured.size >= MOST_MEASURED) measured.clear();
  measured.set(text, width);
  return width;
}

/** Cut to `columns` cells with an ellipsis; our own colours take no room. Null is as wide as it takes. */
export function shorten(text: string, columns: number | null): string {
  if (columns === null || widthOf(text) <= columns) return text;
  let left = Math.max(1, columns) - 1;
  let cut = "";
  let marked = false;
  for (const part of partsOf(text)) {
    const width = part.startsWith(ESCAPE) ? 0 : widthOf(part);
    if (width <= left && (!marked || width === 0)) {
      cut += part;
      left -= width;
    } else if (!marked) {
      cut += "…";
      marked = true;
    }
  }
  return cut;
}

/** Broken into lines of at most `columns` cells, at spaces where there are any; nothing is left out. */
export function wrap(text: string, columns: number | null): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number | null): string[] {
  if (columns === null || columns < 1) return [line];
  const lines: string[] = [];
  let rest = partsOf(line);
  while (rest.length > 0) {
    const fits = fitting(rest, columns);
    if (fits >= rest.length) break;
    const space = rest.lastIndexOf(" ", fits);
    const at = space > 0 ? space : Math.max(1, fits);
    lines.push(rest.slice(0, at).join(""));
    rest = rest.slice(space > 0 ? at + 1 : at);
  }
  return [...lines, rest.join("")];
}

/** How many of the parts fit into so many cells. */
function fitting(parts: readonly string[], columns: number): number {
  let left = columns;
  let many = 0;
  for (const part of parts) {
    left -= part.startsWith(ESCAPE) ? 0 : widthOf(part);
    if (left < 0) return many;
    many += 1;
  }
  return many;
}

/** Our own colours, each as one part, and what is seen as one character. */
function partsOf(text: string): string[] {
  return text
    .split(COLOUR_APART)
    .flatMap((part) => (part.startsWith(ESCAPE) ? [part] : PRINTABLE_ASCII.test(part) ? [...part] : graphemes(part)));
}
function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
let segmenter: Intl.Segmenter | undefined;

export const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;
