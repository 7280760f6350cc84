/**
 * How wide texts are on a terminal, and what of them fits. Apart from the words: to measure takes tables of Unicode,
 * and a start that measures nothing does not load them.
 */
import stringWidth from "fast-string-width";

const ESCAPE = "\u001b";
/** Our own colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours begin with
const COLOUR = /\u001b\[\d+m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours begin with
const COLOUR_APART = /(\u001b\[\d+m)/;
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Without our own colours. */
export const uncoloured = (text: string): string => (text.includes(ESCAPE) ? text.replace(COLOUR, "") : text);

/** A text and our own colours in it, in turns: the first is text, the second a colour, and so on. */
export const colourParts = (text: string): string[] => text.split(COLOUR_APART);

/** Cells that a text takes on a terminal; our own colours take none. */
export function widthOf(text: string): number {
  const plain = uncoloured(text);
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

const BRIEF_CELLS = 500;
/** One line of an agent's, which may send one of any length. */
export const brief = (line: string): string => shorten(line.slice(0, BRIEF_CELLS + 1), BRIEF_CELLS);

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
  return rest.length === 0 && lines.length > 0 ? lines : [...lines, rest.join("")];
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
/** What is seen as one character each. */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
let segmenter: Intl.Segmenter | undefined;
