/**
 * Owns how operators are spelled: the accepted spellings, and what to say about the wrong ones.
 */

import { suggest } from "../suggest.ts";
import { faultAt } from "./fault.ts";
import { BINARY_POWER, type BinaryOperator, type ExpressionFault, isNegatable, type UnaryOperator } from "./syntax.ts";
import type { ExpressionToken } from "./tokens.ts";

const SPELLINGS: ReadonlyMap<string, BinaryOperator> = new Map([
  ...(Object.keys(BINARY_POWER) as BinaryOperator[]).map((operator) => [operator, operator] as const),
  ...([
    ["&&", "and"],
    ["||", "or"],
    ["^", "**"],
  ] as const),
]);

export const LITERAL_WORDS: ReadonlyMap<string, null | boolean> = new Map([
  ...([
    ["true", true],
    ["false", false],
  ] as const),
  ...([
    ["nil", null],
    ["null", null],
  ] as const),
]);
export const UNARY_SPELLINGS: ReadonlyMap<string, UnaryOperator> = new Map([
  ...([
    ["!", "not"],
    ["not", "not"],
    ["-", "-"],
    ["+", "+"],
  ] as const),
]);

/** Spellings of other languages, and what they are called here. */
const MISTAKEN: ReadonlyMap<string, string> = new Map([
  ...([
    ["=", "=="],
    ["===", "=="],
    ["eq", "=="],
    ["is", "=="],
    ["!==", "!="],
    ["<>", "!="],
    ["ne", "!="],
  ] as const),
  ...([
    ["&", "&&"],
    ["=>", ">="],
    ["=<", "<="],
    ["gt", ">"],
    ["ge", ">="],
    ["lt", "<"],
    ["le", "<="],
  ] as const),
  ...([
    ["mod", "%"],
    ["div", "/"],
    ["like", "matches"],
    ["includes", "contains"],
  ] as const),
]);

const WORDS = ["and", "or", "in", "not", "contains", "startsWith", "endsWith", "matches"];

/** The infix operator a token spells, or null. */
export function infixOperator(token: ExpressionToken): BinaryOperator | null {
  if (token.kind !== "word" && token.kind !== "symbol") return null;
  return SPELLINGS.get(token.text) ?? null;
}

/** Whether two tokens are `not in`, `not contains` and the like. */
export function isNegation(word: ExpressionToken, following: ExpressionToken): boolean {
  const operator = infixOperator(following);
  return word.kind === "word" && word.text === "not" && operator !== null && isNegatable(operator);
}

/** What to say about a token that stands where an operator or the end was expected. */
export function strayToken(token: ExpressionToken): ExpressionFault {
  if (token.kind === "end") return faultAt("expected more before the end", token.range);
  if (token.kind === "word" || token.kind === "symbol") {
    const known = MISTAKEN.get(token.text.toLowerCase()) ?? (token.kind === "word" ? suggest(token.text, WORDS) : null);
    if (known !== null) {
      return faultAt(`unknown operator "${token.text}": did you mean "${known}"?`, token.range, known);
    }
  }
  const closing = token.kind === "symbol" && [")", "]", "}"].includes(token.text);
  if (closing) return faultAt(`unexpected "${token.text}": nothing is open here`, token.range);
  return faultAt(`expected an operator or the end, found ${tokenText(token)}`, token.range);
}

/** How a token is named in a message. */
export function tokenText(token: ExpressionToken): string {
  if (token.kind === "end") return "the end";
  return token.kind === "string" ? `the string ${token.text}` : `"${token.text}"`;
}
