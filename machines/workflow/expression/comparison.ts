/** Owns the operators that answer true or false about two values. */

import { type Json, own } from "../../model.ts";
import type { Budget } from "./budget.ts";
import { ExpressionError } from "./error.ts";
import { compilePattern } from "./pattern.ts";
import { shown } from "./print.ts";
import type { BinaryOperator, Expression, Range } from "./syntax.ts";
import { areEqual, describe, order } from "./values.ts";

export type Comparison =
  | Extract<BinaryOperator, "==" | "!=" | "<" | ">" | "<=" | ">=">
  | Extract<BinaryOperator, "in" | "contains" | "startsWith" | "endsWith" | "matches">;

/** A step of a pattern costs as much as reading this many characters. */
const PATTERN_COST = 8;

/** Answers a comparison of two evaluated operands. Throws `ExpressionError` where the kinds cannot be compared. */
export function compare(
  operator: Comparison,
  nodes: readonly [Expression, Expression],
  values: readonly [Json, Json],
  range: Range,
  budget: Budget,
): boolean {
  const [left, right] = values;
  switch (operator) {
    case "==":
    case "!=":
      budget.walk(left, range);
      budget.walk(right, range);
      return areEqual(left, right) === (operator === "==");
    case "<":
    case ">":
    case "<=":
    case ">=":
      budget.walk(left, range);
      budget.walk(right, range);
      return isOrdered(operator, left, right, range);
    case "in":
      return isIn(left, right, range, nodes[1], budget);
    case "contains":
      if (Array.isArray(left)) return isIn(right, left, range, nodes[0], budget);
      return ask(operator, nodes, values, range, budget, (text, part) => text.includes(part));
    case "startsWith":
      return ask(operator, nodes, values, range, budget, (text, part) => text.startsWith(part));
    case "endsWith":
      return ask(operator, nodes, values, range, budget, (text, part) => text.endsWith(part));
    case "matches":
      return ask(operator, nodes, values, range, budget, (text, pattern) => {
        const compiled = compilePattern(pattern);
        if (!compiled.ok) throw new ExpressionError(compiled.message, nodes[1].range);
        budget.read(text, range, compiled.size * PATTERN_COST);
        return compiled.test(text);
      });
    default:
      return operator satisfies never;
  }
}

function isOrdered(operator: "<" | ">" | "<=" | ">=", left: Json, right: Json, range: Range): boolean {
  const relation = order(left, right);
  if (relation === "none") return false;
  if (relation === "unlike") {
    const message = `"${operator}" orders two numbers or two strings, got ${describe(left)} and ${describe(right)}`;
    throw new ExpressionError(message, range);
  }
  switch (operator) {
    case "<":
      return relation < 0;
    case ">":
      return relation > 0;
    case "<=":
      return relation <= 0;
    case ">=":
      return relation >= 0;
    default:
      return operator satisfies never;
  }
}

function isIn(item: Json, where: Json, range: Range, node: Expression, budget: Budget): boolean {
  if (where === null) return false;
  if (Array.isArray(where)) {
    budget.walk(where, range);
    return where.some((other) => areEqual(item, other));
  }
  if (typeof where === "object") return typeof item === "string" && own(where, item) !== undefined;
  const isText = typeof where === "string";
  const instead = isText ? `; for a part of a text write ${shown(node)} contains "part"` : "";
  const message = `"in" looks in an array or among the keys of a map, but ${shown(node)} is ${describe(where)}${instead}`;
  throw new ExpressionError(message, node.range, isText ? "contains" : null);
}

function ask(
  operator: Comparison,
  nodes: readonly [Expression, Expression],
  [left, right]: readonly [Json, Json],
  range: Range,
  budget: Budget,
  holds: (text: string, part: string) => boolean,
): boolean {
  if (left === null || right === null) return false;
  if (typeof left !== "string") throw notText(operator, "left", left, nodes[0]);
  if (typeof right !== "string") throw notText(operator, "right", right, nodes[1]);
  budget.read(left, range);
  budget.read(right, range);
  return holds(left, right);
}

function notText(operator: Comparison, side: string, value: Json, node: Expression): ExpressionError {
  return new ExpressionError(
    `"${operator}" takes a string on its ${side}, but ${shown(node)} is ${describe(value)}`,
    node.range,
  );
}
