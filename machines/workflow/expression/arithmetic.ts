/** Owns the operators that make numbers, joined texts and ranges of numbers. Numbers are finite and never minus zero. */

import type { Json } from "../../model.ts";
import type { Budget } from "./budget.ts";
import { ExpressionError } from "./error.ts";
import { hyphenatedName } from "./hyphen.ts";
import { shown } from "./print.ts";
import type { BinaryOperator, Expression, Range } from "./syntax.ts";
import { asNumber, describe } from "./values.ts";

export type ArithmeticOperator = Extract<BinaryOperator, "+" | "-" | "*" | "/" | "%" | "**" | "..">;

/** The result for two evaluated operands. Texts that spell numbers count as numbers, but two texts are joined by `+`. */
export function arithmetic(
  operator: ArithmeticOperator,
  nodes: readonly [Expression, Expression],
  values: readonly [Json, Json],
  range: Range,
  budget: Budget,
): Json {
  const [left, right] = values;
  if (operator === "+" && typeof left === "string" && typeof right === "string") {
    budget.make(left.length + right.length, range);
    budget.spend(1, range);
    return left + right;
  }
  const a = asNumber(left);
  const b = asNumber(right);
  if (a === null) throw notNumber(operator, nodes, left, nodes[0]);
  if (b === null) throw notNumber(operator, nodes, right, nodes[1]);
  if (operator === "..") return numbersFrom(a, b, range, budget);
  const result = calculate(operator, a, b, nodes[1].range, range);
  if (!Number.isFinite(result)) throw new ExpressionError(`"${operator}" gives a number that is too large`, range);
  return result === 0 ? 0 : result;
}

function calculate(
  operator: Exclude<ArithmeticOperator, "..">,
  a: number,
  b: number,
  divisor: Range,
  range: Range,
): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
    case "%":
      if (b === 0) throw new ExpressionError(`"${operator}" by zero`, divisor);
      if (operator === "/") return a / b;
      if (Number.isInteger(a) && Number.isInteger(b)) return a % b;
      throw new ExpressionError('"%" takes two whole numbers', range);
    case "**": {
      const power = a ** b;
      if (Number.isNaN(power) || (a === 0 && b < 0)) throw new ExpressionError('"**" has no real result here', range);
      return power;
    }
    default:
      return operator satisfies never;
  }
}

function numbersFrom(first: number, last: number, range: Range, budget: Budget): number[] {
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) {
    throw new ExpressionError('".." takes two whole numbers', range);
  }
  const length = Math.max(0, last - first + 1);
  budget.spend(length, range);
  return Array.from({ length }, (_, offset) => first + offset);
}

function notNumber(
  operator: ArithmeticOperator,
  nodes: readonly [Expression, Expression],
  value: Json,
  blamed: Expression,
): ExpressionError {
  const expected = operator === "+" ? "two numbers or two strings" : "numbers";
  const message = `"${operator}" takes ${expected}, but ${shown(blamed)} is ${describe(value)}`;
  const name = operator === "-" ? hyphenatedName(...nodes) : null;
  if (name === null) return new ExpressionError(message, blamed.range);
  return new ExpressionError(`${message}; a name with a hyphen is written ${name}`, blamed.range, name);
}
