/**
 * Splits a template's source into texts and actions, and an action into tokens.
 *
 * I1. `{{- ` and ` -}}` trim the text beside them, as in Go: the marker needs its space.
 * I2. A comment is its own piece, so that texts left and right of it never join into a new `{{`.
 * I3. A bad character is a token of type `bad`; the parser reports it with its place.
 */
import type { Range } from "./ast.ts";
import { readNumber, readQuoted } from "./literals.ts";

export type TemplateToken = {
  type: "name" | "field" | "variable" | "dot" | "number" | "string" | "mark" | "bad" | "end";
  /** The name without `.` or `$`, the mark itself, or the message of a bad token. */
  text: string;
  value?: string | number;
  /** False where the token touches the one before it: `.a.b` is a chain, `.a .b` is two operands. */
  spaced: boolean;
  range: Range;
};

export type Piece =
  | { type: "text"; text: string; range: Range }
  | { type: "comment"; text: string; range: Range }
  | { type: "action"; tokens: TemplateToken[]; range: Range }
  | { type: "fault"; message: string; range: Range };

const SPACE = /[ \t\r\n]/;
const NAME = /[\p{L}\p{Nd}_]/u;

/** Reads the longest name at `at`; code points, so that letters outside the basic plane count. */
const nameAt = (source: string, at: number): string => {
  let end = at;
  while (end < source.length) {
    const char = String.fromCodePoint(source.codePointAt(end) ?? 0);
    if (!NAME.test(char)) break;
    end += char.length;
  }
  return source.slice(at, end);
};

const badCharacter = (source: string, at: number): string => {
  const char = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (char === "-")
    return 'unexpected "-": a name that contains "-" is read with index, as in {{index .inputs "my-name"}}';
  if (char === "{") return 'unexpected "{": the action was opened by the "{{" before it';
  if (char === "}") return 'unexpected "}": an action ends with "}}"';
  return `unexpected character ${JSON.stringify(char)}`;
};

const tokenAt = (source: string, at: number, spaced: boolean): TemplateToken => {
  const token = (
    type: TemplateToken["type"],
    text: string,
    length: number,
    value?: string | number,
  ): TemplateToken => ({
    type,
    text,
    ...(value === undefined ? {} : { value }),
    spaced,
    range: { start: at, end: at + length },
  });
  const char = source.charAt(at);
  if (char === '"' || char === "`" || char === "'") {
    const read = readQuoted(source, at);
    if ("fault" in read) return token("bad", read.fault, read.length);
    return token(typeof read.value === "number" ? "number" : "string", "", read.length, read.value);
  }
  if (/[0-9]/.test(char) || (/[-+.]/.test(char) && /^[-+]?\.?[0-9]/.test(source.slice(at, at + 3)))) {
    const read = readNumber(source, at);
    if ("fault" in read) return token("bad", read.fault, read.length);
    return token("number", "", read.length, read.value);
  }
  if (char === ".") {
    const name = nameAt(source, at + 1);
    return name === "" ? token("dot", ".", 1) : token("field", name, name.length + 1);
  }
  if (char === "$") {
    const name = nameAt(source, at + 1);
    return token("variable", name, name.length + 1);
  }
  if (source.startsWith(":=", at)) return token("mark", ":=", 2);
  if ("|(),=".includes(char)) return token("mark", char, 1);
  const name = nameAt(source, at);
  if (name !== "") return token("name", name, name.length);
  return token("bad", badCharacter(source, at), String.fromCodePoint(source.codePointAt(at) ?? 0).length);
};

/** Where the action that starts at `open` (its `{{`) ends, its tokens, and its trim markers. */
const readAction = (
  source: string,
  open: number,
): { piece: Piece; end: number; trimLeft: boolean; trimRight: boolean } => {
  const trimLeft = source.startsWith("{{-", open) && SPACE.test(source.charAt(open + 3));
  let at = open + (trimLeft ? 4 : 2);
  const unclosed = (message: string) => ({
    piece: { type: "fault" as const, message, range: { start: open, end: open + 2 } },
    end: source.length,
    trimLeft,
    trimRight: false,
  });
  if (source.startsWith("/*", at)) {
    const close = source.indexOf("*/", at + 2);
    if (close < 0) return unclosed('unclosed comment: "*/" expected');
    const trimRight = SPACE.test(source.charAt(close + 2)) && source.startsWith("-}}", close + 3);
    const end = close + (trimRight ? 6 : 4);
    if (!trimRight && !source.startsWith("}}", close + 2)) return unclosed('a comment ends with "*/}}" or "*/ -}}"');
    return {
      piece: { type: "comment", text: source.slice(at + 2, close), range: { start: open, end } },
      end,
      trimLeft,
      trimRight,
    };
  }
  const tokens: TemplateToken[] = [];
  for (;;) {
    const before = at;
    while (SPACE.test(source.charAt(at))) at++;
    const spaced = at > before || tokens.length === 0;
    const trimRight = at > before && source.startsWith("-}}", at);
    if (trimRight || source.startsWith("}}", at)) {
      const end = at + (trimRight ? 3 : 2);
      tokens.push({ type: "end", text: "}}", spaced: true, range: { start: at, end } });
      return { piece: { type: "action", tokens, range: { start: open, end } }, end, trimLeft, trimRight };
    }
    if (at >= source.length) {
      const bad = tokens.find(({ type }) => type === "bad");
      const result = unclosed('unclosed action: "}}" expected');
      return bad === undefined ? result : { ...result, piece: { type: "fault", message: bad.text, range: bad.range } };
    }
    const token = tokenAt(source, at, spaced);
    tokens.push(token);
    at = token.range.end;
  }
};

/** The pieces of a source in order; empty texts are left out. */
export function lexTemplate(source: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let trim = false;
  while (at < source.length) {
    const open = source.indexOf("{{", at);
    const stop = open < 0 ? source.length : open;
    const action = open < 0 ? null : readAction(source, open);
    let start = at;
    let end = stop;
    if (trim) while (start < end && SPACE.test(source.charAt(start))) start++;
    if (action?.trimLeft) while (end > start && SPACE.test(source.charAt(end - 1))) end--;
    if (end > start) pieces.push({ type: "text", text: source.slice(start, end), range: { start, end } });
    if (action === null) break;
    pieces.push(action.piece);
    at = action.end;
    trim = action.trimRight;
  }
  return pieces;
}
