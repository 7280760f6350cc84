/** Owns string literals: "double" and 'single' quoted ones with escapes, and `raw` ones without. */

import { Unreadable } from "./fault.ts";

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ...([
    ["a", "\x07"],
    ["b", "\b"],
    ["f", "\f"],
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
    ["v", "\v"],
  ] as const),
  ...([
    ["\\", "\\"],
    ["/", "/"],
    ['"', '"'],
    ["'", "'"],
    ["`", "`"],
  ] as const),
]);
/** Escapes of a fixed number of hexadecimal digits: `\x41`, `\u0041`, `\U00000041`. */
const HEX_ESCAPES: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/** The value of the literal that starts at `start` with its quote, and the offset behind it. Throws `Unreadable`. */
export function readString(source: string, start: number): { value: string; end: number } {
  const quote = source.charAt(start);
  let value = "";
  let at = start + 1;
  for (;;) {
    const character = source.charAt(at);
    if (character === "" || (character === "\n" && quote !== "`")) {
      throw new Unreadable(`the string has no end: expected a closing ${quote}`, { start, end: at });
    }
    if (character === quote) break;
    if (character === "\\" && quote !== "`") {
      const escaped = readEscape(source, at);
      value += escaped.text;
      at = escaped.end;
    } else {
      value += character;
      at++;
    }
  }
  return { value, end: at + 1 };
}

function readEscape(source: string, start: number): { text: string; end: number } {
  const letter = String.fromCodePoint(source.codePointAt(start + 1) ?? 0);
  const simple = SIMPLE_ESCAPES.get(letter);
  if (simple !== undefined) return { text: simple, end: start + 2 };
  const digits = HEX_ESCAPES.get(letter);
  if (digits === undefined) {
    const range = { start, end: Math.min(start + 1 + letter.length, source.length) };
    const written = source.slice(range.start, range.end);
    throw new Unreadable(`unknown escape ${written}: a backslash itself is written \\\\`, range, `\\${written}`);
  }
  const end = start + 2 + digits;
  const hex = source.slice(start + 2, end);
  const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : Number.NaN;
  if (!(code <= 0x10ffff)) {
    const range = { start, end: Math.min(end, source.length) };
    throw new Unreadable(`\\${letter} is followed by ${digits} hexadecimal digits that name a character`, range);
  }
  return { text: String.fromCodePoint(code), end };
}
