/**
 * From an offset in a scalar's value to the offset in the file, so that a fault inside a template can be underlined.
 *
 * I1. Exact for literal blocks and for plain and quoted scalars on one line; folded lines map to their run of blanks.
 */
import type { Located, ScalarStyle } from "./located.ts";

const ESCAPE_LENGTH: { readonly [letter: string]: number } = { x: 4, u: 6, U: 10 };
const isBlank = (char: string | undefined): boolean => char === " " || char === "\n" || char === "\t" || char === "\r";

/** The end of the run of blanks that starts at `at`, and whether it holds a line break. */
function blanks(source: string, at: number): { end: number; breaks: boolean } {
  let end = at;
  let breaks = false;
  while (end < source.length && isBlank(source[end])) {
    if (source[end] === "\n") breaks = true;
    end += 1;
  }
  return { end, breaks };
}

/** How many characters of the file make up the character of the value at `at`. */
function width(source: string, at: number, style: ScalarStyle): number {
  if (style === "single" && source[at] === "'") return 2;
  if (style !== "double" || source[at] !== "\\") return 1;
  return ESCAPE_LENGTH[source[at + 1] ?? ""] ?? 2;
}

function alignFlowing(value: string, source: string, start: number, style: ScalarStyle): number[] {
  const map: number[] = [];
  let at = start;
  for (let index = 0; index < value.length; ) {
    if (style === "double" && source[at] === "\\" && isBlank(source[at + 1]) && source[at + 1] !== " ") {
      // An escaped line break stands for nothing.
      at = blanks(source, at + 1).end;
      continue;
    }
    const run = blanks(source, at);
    if (isBlank(value[index]) && run.breaks) {
      while (index < value.length && isBlank(value[index])) {
        map[index] = at;
        index += 1;
      }
      at = run.end;
      continue;
    }
    map[index] = at;
    const taken = width(source, at, style);
    at += taken;
    index += 1;
    if (taken === ESCAPE_LENGTH["U"] && style === "double" && (value.codePointAt(index - 1) ?? 0) > 0xffff) {
      map[index] = at;
      index += 1;
    }
  }
  map[value.length] = at;
  return map;
}

const leading = (line: string): number => line.length - line.trimStart().length;

function alignLiteral(value: string, source: string, start: number): number[] {
  const map: number[] = [];
  const lines = value.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  let indent = 0;
  let at = start;
  for (let skip = 0; skip < first; skip += 1) at = source.indexOf("\n", at) + 1;
  if (first >= 0) {
    const end = source.indexOf("\n", at);
    indent = leading(source.slice(at, end < 0 ? undefined : end)) - leading(lines[first] ?? "");
  }
  at = start;
  let index = 0;
  for (const line of lines) {
    const next = source.indexOf("\n", at);
    const end = next < 0 ? source.length : next;
    for (let column = 0; column <= line.length; column += 1) map[index + column] = Math.min(at + indent + column, end);
    index += line.length + 1;
    at = Math.min(end + 1, source.length);
  }
  return map;
}

/** A function from offsets of the scalar's value to offsets of the file. Not a scalar: always its start. */
export function scalarOffsets(source: string, located: Located): (offset: number) => number {
  const { scalar, range, value } = located;
  if (scalar === undefined || typeof value !== "string") return () => range.start;
  const { style } = scalar;
  const block = style === "literal" || style === "folded";
  const header = block ? source.indexOf("\n", range.start) + 1 : range.start;
  let start = style === "single" || style === "double" ? range.start + 1 : header;
  if (style === "folded") start += leading(source.slice(start, source.indexOf("\n", start)));
  const map = style === "literal" ? alignLiteral(value, source, start) : alignFlowing(value, source, start, style);
  return (offset) => Math.min(map[Math.max(0, Math.min(offset, value.length))] ?? range.start, source.length);
}
