/**
 * A script of Python or JavaScript with values: in a string each is escaped for that string.
 *
 * I1. A value is the text of a string and nothing else. Elsewhere only a number, `true` and `false` pass.
 * I2. In a raw string, or a template that a function reads, nothing can be escaped: what would need it is refused.
 * I3. `raw` and `parameters.*` are the author's text and are spliced before the script is read.
 * I4. What was made is read again: every string must begin and end where it did.
 */
import type { Range, Template } from "./ast.ts";
import type { Literal, LiteralPlace, Scanned } from "./literal-places.ts";
import { scanJavaScript } from "./literals-javascript.ts";
import { scanPython } from "./literals-python.ts";
import { TemplateError } from "./render.ts";
import { renderedOf, withHoles } from "./shell.ts";

export type LiteralLanguage = "python" | "javascript";

const NUMBER = /^(?:-?\d+(?:\.\d+)?|true|false)$/;
export const WAY_OUT =
  "write it inside quotes, hand it over in an environment variable, or write {{… | raw}} for text that is yours";

/** Where the holes of a script stand. */
export const scanScript = (text: string, language: LiteralLanguage): Scanned =>
  language === "python" ? scanPython(text) : scanJavaScript(text);

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");

const ESCAPED: { readonly [char: string]: string } = {
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** One character as text of a literal. */
function escaped(char: string, { bytes, special }: Literal): string {
  const known = ESCAPED[char];
  if (known !== undefined) return known;
  if (special === "braces" && (char === "{" || char === "}")) return char + char;
  if (special === "dollar" && (char === "$" || char === "`")) return `\\${char}`;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  if (bytes && code > 0x7f) return [...new TextEncoder().encode(char)].map((byte) => `\\x${hex(byte, 2)}`).join("");
  return code >= 0x80 && code < 0xa0
    ? `\\x${hex(code, 2)}`
    : code === 0x2028 || code === 0x2029
      ? `\\u${hex(code, 4)}`
      : char;
}

function written(value: string, place: LiteralPlace, range: Range): string {
  if (place.type === "code") {
    if (NUMBER.test(value)) return value;
    throw new TemplateError(`only a number, true or false can stand here, because ${place.why}; ${WAY_OUT}`, range);
  }
  const text = Array.from(value, (char) => escaped(char, place.literal)).join("");
  if (!place.literal.raw || text === value) return text;
  throw new TemplateError(
    "the value has characters that need a backslash, and the string that it stands in is raw; " +
      "write it in a string that is not, or hand it over in an environment variable",
    range,
  );
}

/** The script with its values. `template` is expanded. Throws TemplateError when a value cannot stand in its place. */
export function literalScript(template: Template, language: LiteralLanguage): string {
  const { text, actions } = withHoles(template, renderedOf);
  if (actions.length === 0) return text;
  const scanned = scanScript(text, language);
  if (scanned.type === "unread") {
    const range = actions[0]?.node.range ?? template.range;
    throw new TemplateError(`${unreadOf(text, scanned)}; ${WAY_OUT}`, range);
  }
  /** How far what stands behind each hole is moved. */
  const moves: { at: number; by: number }[] = [];
  const parts = text.split("\0");
  let made = parts[0] ?? "";
  let at = made.length;
  let moved = 0;
  actions.forEach(({ node, rendered }, index) => {
    const place = scanned.places[index];
    if (place === undefined) throw new TemplateError("no value can stand here", node.range);
    const value = written(rendered.text, place, node.range);
    moved += value.length - 1;
    moves.push({ at, by: moved });
    const part = parts[index + 1] ?? "";
    made += value + part;
    at += 1 + part.length;
  });
  if (!isSame(scanned, scanScript(made, language), moves))
    throw new TemplateError(`with these values the strings of the script end elsewhere; ${WAY_OUT}`, template.range);
  return made;
}

/** Why a script cannot be read, with the line. */
export const unreadOf = (text: string, { at, why }: { at: number; why: string }): string =>
  `no value can stand in this script, because it cannot be read from line ${text.slice(0, at).split("\n").length} on: ${why}`;

/** Whether the strings are those that were there, moved (I4). */
function isSame(
  before: { literals: readonly { start: number; end: number }[] },
  after: Scanned,
  moves: readonly { at: number; by: number }[],
): boolean {
  if (after.type === "unread" || after.literals.length !== before.literals.length) return false;
  const movedTo = (offset: number): number => {
    let [low, high] = [0, moves.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((moves[middle]?.at ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + (low === 0 ? 0 : (moves[low - 1]?.by ?? 0));
  };
  return before.literals.every(
    ({ start, end }, index) =>
      after.literals[index]?.start === movedTo(start) && after.literals[index]?.end === movedTo(end),
  );
}
