/**
 * Owns the shape of a parsed expression and the strength of its operators.
 *
 * I1. Every node has the range of the text it came from, parentheses included.
 * I2. One spelling per meaning: `&&` is kept as `and`, `!` as `not`, `^` as `**`, `nil` as null,
 *     `a not in b` as `not (a in b)`, and `a | f(b)` as `f(a, b)`.
 */

import type { Range } from "../finding.ts";

export type { Range };

export type UnaryOperator = "not" | "-" | "+";

export type BinaryOperator =
  | "or"
  | "and"
  | "=="
  | "!="
  | "<"
  | ">"
  | "<="
  | ">="
  | "in"
  | "matches"
  | "contains"
  | "startsWith"
  | "endsWith"
  | ".."
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "**"
  | "??";

export type Expression =
  | { kind: "literal"; value: null | boolean | number | string; range: Range }
  | { kind: "array"; items: Expression[]; range: Range }
  | { kind: "map"; entries: { key: string; value: Expression }[]; range: Range }
  | { kind: "name"; name: string; range: Range }
  | { kind: "member"; object: Expression; name: string; optional: boolean; range: Range }
  | { kind: "index"; object: Expression; index: Expression; optional: boolean; range: Range }
  /** `object[from:to]`; null where a bound is left out. */
  | { kind: "slice"; object: Expression; from: Expression | null; to: Expression | null; range: Range }
  | { kind: "let"; name: string; value: Expression; body: Expression; range: Range }
  | { kind: "unary"; operator: UnaryOperator; operand: Expression; range: Range }
  | { kind: "binary"; operator: BinaryOperator; left: Expression; right: Expression; range: Range }
  | { kind: "conditional"; test: Expression; then: Expression; otherwise: Expression; range: Range }
  | { kind: "call"; name: string; arguments: Expression[]; range: Range };

/**
 * What is wrong with a text, where, and what could stand there instead. `foreign`: AWF's dialect has it; a file of AWF's loads, and fails
 * where it is evaluated.
 */
export type ExpressionFault = { message: string; range: Range; suggestion?: string; foreign?: true };

/** Longest source, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 16 * 1024;
/** Deepest nesting, both of brackets in the source and of nodes in the tree. */
export const MAX_DEPTH = 64;

/** Binding powers, the dialect's own numbers: a higher one binds tighter. */
export const BINARY_POWER: { readonly [operator in BinaryOperator]: number } = {
  or: 10,
  and: 15,
  "==": 20,
  "!=": 20,
  "<": 20,
  ">": 20,
  "<=": 20,
  ">=": 20,
  in: 20,
  matches: 20,
  contains: 20,
  startsWith: 20,
  endsWith: 20,
  "..": 25,
  "+": 30,
  "-": 30,
  "*": 60,
  "/": 60,
  "%": 60,
  "**": 100,
  "??": 500,
};

export const UNARY_POWER: { readonly [operator in UnaryOperator]: number } = { not: 50, "-": 90, "+": 90 };

/** Members, indexes and calls bind tighter than any operator. */
export const POSTFIX_POWER = 1000;

/** Words with a meaning of their own; as a name they can only follow a dot or be a map's key. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  ...["true", "false", "nil", "null", "not", "and", "or", "in"],
  ...["matches", "contains", "startsWith", "endsWith"],
]);

/** Operators which `not` may stand before: `a not in b`. */
export function isNegatable(operator: BinaryOperator): boolean {
  return ["in", "matches", "contains", "startsWith", "endsWith"].includes(operator);
}

/** `a < b < c` is refused, since `(a < b) < c` is never what was meant. */
export function isOrdering(operator: BinaryOperator): boolean {
  return ["<", ">", "<=", ">="].includes(operator);
}

const WORD = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Whether a text can stand as a member's name or a bare key. */
export function isWord(text: string): boolean {
  return WORD.test(text);
}
