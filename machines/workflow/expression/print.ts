/**
 * Owns writing an expression as text.
 *
 * I1. Reading the text gives the same expression, ranges aside.
 * I2. Parentheses stand only where the text would be read otherwise without them, and around a
 *     sign or a `not` behind an operator that binds tighter.
 */

import {
  BINARY_POWER,
  type BinaryOperator,
  type Expression,
  isNegatable,
  isOrdering,
  isWord,
  POSTFIX_POWER,
  UNARY_POWER,
} from "./syntax.ts";

/** One line of text for an expression. */
export function printExpression(node: Expression): string {
  switch (node.kind) {
    case "literal":
      return node.value === null ? "nil" : JSON.stringify(node.value);
    case "array":
      return `[${node.items.map(printExpression).join(", ")}]`;
    case "map":
      return `{${node.entries.map(({ key, value }) => `${printKey(key)}: ${printExpression(value)}`).join(", ")}}`;
    case "name":
      return node.name;
    case "member":
      return `${atLeast(node.object, POSTFIX_POWER)}${node.optional ? "?." : "."}${node.name}`;
    case "index":
      return `${atLeast(node.object, POSTFIX_POWER)}${node.optional ? "?." : ""}[${printExpression(node.index)}]`;
    case "slice": {
      const [from, to] = [node.from, node.to].map((bound) => (bound === null ? "" : printExpression(bound)));
      return `${atLeast(node.object, POSTFIX_POWER)}[${from}:${to}]`;
    }
    case "let":
      return `let ${node.name} = ${printExpression(node.value)}; ${printExpression(node.body)}`;
    case "unary":
      return printUnary(node);
    case "binary":
      return printBinary(node, node.operator, node.operator);
    case "conditional":
      return `${atLeast(node.test, 0)} ? ${printExpression(node.then)} : ${printExpression(node.otherwise)}`;
    case "call":
      return `${node.name}(${node.arguments.map(printExpression).join(", ")})`;
    default:
      return node satisfies never;
  }
}

const LONGEST_SHOWN = 80;

/** How a message names an operand: its text, unless that is long. */
export function shown(node: Expression): string {
  const text = printExpression(node);
  return text.length <= LONGEST_SHOWN ? text : "the operand";
}

function printKey(key: string): string {
  return isWord(key) ? key : JSON.stringify(key);
}

function printUnary(node: Expression & { kind: "unary" }): string {
  const { operator, operand } = node;
  const negated = negatedOperator(node);
  if (negated !== null && operand.kind === "binary") return printBinary(operand, negated, `not ${negated}`);
  return `${operator === "not" ? "not " : operator}${atLeast(operand, UNARY_POWER[operator])}`;
}

function printBinary(node: Expression & { kind: "binary" }, operator: BinaryOperator, spelling: string): string {
  const power = BINARY_POWER[operator];
  const groupsRight = operator === "**";
  // Two orderings in a row are refused by the parser, so the left one needs parentheses.
  const { left, right } = node;
  const clashes = isOrdering(operator) && left.kind === "binary" && isOrdering(left.operator);
  const first = clashes ? `(${printExpression(left)})` : atLeast(left, groupsRight ? power + 1 : power);
  return `${first} ${spelling} ${atLeast(right, groupsRight ? power : power + 1)}`;
}

function atLeast(node: Expression, power: number): string {
  const text = printExpression(node);
  return powerOf(node) >= power ? text : `(${text})`;
}

function powerOf(node: Expression): number {
  switch (node.kind) {
    case "conditional":
    case "let":
      return -1;
    case "binary":
      return BINARY_POWER[node.operator];
    case "unary": {
      const negated = negatedOperator(node);
      return negated === null ? UNARY_POWER[node.operator] : BINARY_POWER[negated];
    }
    default:
      return POSTFIX_POWER;
  }
}

/** The operator of `not (a in b)`, which is written `a not in b`; null for any other node. */
function negatedOperator(node: Expression & { kind: "unary" }): BinaryOperator | null {
  const { operator, operand } = node;
  return operator === "not" && operand.kind === "binary" && isNegatable(operand.operator) ? operand.operator : null;
}
