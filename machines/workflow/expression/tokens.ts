/**
 * Owns the cutting of a source into words, numbers, strings and symbols.
 *
 * I1. Tokens cover the source in order, without overlap; blanks and comments are dropped; the last one is `end`.
 * I2. Time is linear in the length of the source.
 */

import { Unreadable } from "./fault.ts";
import { readString } from "./strings.ts";
import type { Range } from "./syntax.ts";

export type ExpressionToken =
  | { kind: "word"; text: string; range: Range }
  | { kind: "symbol"; text: string; range: Range }
  | { kind: "number"; value: number; text: string; range: Range }
  | { kind: "string"; value: string; text: string; range: Range }
  | { kind: "end"; text: ""; range: Range };

const BLANK = /(?:\s|\/\/[^\n]*)+/y;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER =
  /0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?/y;
// The wrong spellings are read whole, so that the fault can name them.
const SYMBOL = /===|!==|\*\*|==|!=|<=|>=|<>|=>|=<|&&|\|\||\?\?|\?\.(?![0-9])|\.\.|[-+*/%^<>!?:;.,()[\]{}|=&]/y;
const CURLY_QUOTES = "‘’“”";

/** All tokens of a source. Throws `Unreadable`. */
export function tokenize(source: string): ExpressionToken[] {
  const tokens: ExpressionToken[] = [];
  let at = skipBlanks(source, 0);
  while (at < source.length) {
    const token = readToken(source, at);
    tokens.push(token);
    at = skipBlanks(source, token.range.end);
  }
  tokens.push({ kind: "end", text: "", range: { start: source.length, end: source.length } });
  return tokens;
}

function readToken(source: string, start: number): ExpressionToken {
  const word = match(WORD, source, start);
  if (word !== null) return { kind: "word", text: word, range: { start, end: start + word.length } };
  const number = match(NUMBER, source, start);
  if (number !== null) return numberToken(source, start, number);
  const character = String.fromCodePoint(source.codePointAt(start) ?? 0);
  if (character === '"' || character === "'" || character === "`") return stringToken(source, start);
  const symbol = match(SYMBOL, source, start);
  if (symbol !== null) return { kind: "symbol", text: symbol, range: { start, end: start + symbol.length } };
  const range = { start, end: start + character.length };
  if (CURLY_QUOTES.includes(character)) {
    throw new Unreadable(`${character} does not start a string: write straight quotes`, range, '"');
  }
  throw new Unreadable(`unexpected character ${JSON.stringify(character)}`, range);
}

function stringToken(source: string, start: number): ExpressionToken {
  const { value, end } = readString(source, start);
  return { kind: "string", value, text: source.slice(start, end), range: { start, end } };
}

function numberToken(source: string, start: number, text: string): ExpressionToken {
  let end = start + text.length;
  const tail = match(WORD, source, end);
  if (tail !== null) {
    end += tail.length;
    const whole = source.slice(start, end);
    throw new Unreadable(`${JSON.stringify(whole)} is neither a number nor a name`, { start, end });
  }
  const value = Number(text.replaceAll("_", ""));
  if (!Number.isFinite(value)) throw new Unreadable(`${text} is not a number that can be held`, { start, end });
  return { kind: "number", value, text, range: { start, end } };
}

function skipBlanks(source: string, from: number): number {
  let at = from;
  for (;;) {
    at += match(BLANK, source, at)?.length ?? 0;
    if (!source.startsWith("/*", at)) return at;
    const close = source.indexOf("*/", at + 2);
    if (close < 0) throw new Unreadable('the comment has no end: expected "*/"', { start: at, end: source.length });
    at = close + 2;
  }
}

function match(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}
