/**
 * Owns the value of an expression: pure, from a scope of JSON values.
 *
 * I1. What is missing is null; a comparison or a question about null is false, except `!=`, and `==` beside null.
 * I2. Own properties only, and no code of the host language is ever reached by name.
 * I3. Ends within the budget, or throws `ExpressionError` with the range to blame.
 * I4. `and`, `or`, `??` and `? :` evaluate only the side they need.
 */

import { type Json, own } from "../../model.ts";
import { arithmetic } from "./arithmetic.ts";
import { Budget } from "./budget.ts";
import { compare } from "./comparison.ts";
import { ExpressionError } from "./error.ts";
import { Call } from "./functions/call.ts";
import { functionNamed } from "./functions/table.ts";
import { hasFoldedMembers, memberOf } from "./lookup.ts";
import { shown } from "./print.ts";
import type { Expression } from "./syntax.ts";
import { asBoolean, describe } from "./values.ts";

/** The values of the root names: `inputs`, `states`, `loop` and so on. */
export type Scope = { readonly [name: string]: Json };

/** The value of an expression; null for what is missing. Throws `ExpressionError`. */
export function evaluate(expression: Expression, scope: Scope): Json {
  return new Evaluation(scope).value(expression);
}

/**
 * Whether a condition holds. Null counts as false, and a text that spells `true` or `false` as that boolean, as inputs
 * are texts. Throws `ExpressionError` for any other kind of result.
 */
export function holds(expression: Expression, scope: Scope): boolean {
  return new Evaluation(scope).boolean(expression, "a condition is true or false");
}

class Evaluation {
  readonly #scope: Scope;
  readonly #budget = new Budget();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  value(node: Expression): Json {
    this.#budget.spend(1, node.range);
    switch (node.kind) {
      case "literal":
        return node.value;
      case "array":
        return node.items.map((item) => this.value(item));
      case "map":
        return Object.fromEntries(node.entries.map(({ key, value }) => [key, this.value(value)]));
      case "name":
        return own(this.#scope, node.name) ?? null;
      case "member":
        return memberOf(this.value(node.object), node.name, hasFoldedMembers(node.object));
      case "index":
        return this.#indexed(node);
      case "unary":
        return this.#unary(node);
      case "binary":
        return this.#binary(node);
      case "conditional":
        return this.value(this.boolean(node.test, 'before "?" stands true or false') ? node.then : node.otherwise);
      case "call":
        return this.#call(node);
      default:
        return node satisfies never;
    }
  }

  boolean(node: Expression, rule: string): boolean {
    const value = this.value(node);
    const boolean = asBoolean(value);
    if (boolean !== null) return boolean;
    throw new ExpressionError(`${rule}, but ${shown(node)} is ${describe(value)}`, node.range);
  }

  #indexed(node: Expression & { kind: "index" }): Json {
    const object = this.value(node.object);
    const index = this.value(node.index);
    if (object === null || index === null) return null;
    if (Array.isArray(object)) {
      if (typeof index === "number" && Number.isInteger(index)) return object.at(index) ?? null;
      const message = `an array is indexed by a whole number, but ${shown(node.index)} is ${describe(index)}`;
      throw new ExpressionError(message, node.index.range);
    }
    if (typeof object !== "object") {
      const message = `only arrays and maps have indexes, but ${shown(node.object)} is ${describe(object)}`;
      throw new ExpressionError(message, node.object.range);
    }
    if (typeof index === "string") return memberOf(object, index, hasFoldedMembers(node.object));
    const message = `a map is indexed by a string, but ${shown(node.index)} is ${describe(index)}`;
    throw new ExpressionError(message, node.index.range);
  }

  #unary(node: Expression & { kind: "unary" }): Json {
    if (node.operator === "not") return !this.boolean(node.operand, '"not" takes true or false');
    const zero: Expression = { kind: "literal", value: 0, range: node.range };
    return arithmetic(node.operator, [zero, node.operand], [0, this.value(node.operand)], node.range, this.#budget);
  }

  #binary(node: Expression & { kind: "binary" }): Json {
    const { operator, left, right, range } = node;
    switch (operator) {
      case "and":
      case "or": {
        const rule = `"${operator}" joins what is true or false`;
        return this.boolean(left, rule) === (operator === "or") ? operator === "or" : this.boolean(right, rule);
      }
      case "??":
        return this.value(left) ?? this.value(right);
      case "==":
      case "!=":
      case "<":
      case ">":
      case "<=":
      case ">=":
      case "in":
      case "contains":
      case "startsWith":
      case "endsWith":
      case "matches":
        return compare(operator, [left, right], [this.value(left), this.value(right)], range, this.#budget);
      case "+":
      case "-":
      case "*":
      case "/":
      case "%":
      case "**":
      case "..":
        return arithmetic(operator, [left, right], [this.value(left), this.value(right)], range, this.#budget);
      default:
        return operator satisfies never;
    }
  }

  #call(node: Expression & { kind: "call" }): Json {
    const signature = functionNamed(node.name);
    if (signature === null) throw new ExpressionError(`unknown function "${node.name}"`, node.range);
    const values = node.arguments.map((argument) => this.value(argument));
    const ranges = node.arguments.map((argument) => argument.range);
    return signature.apply(new Call(node.name, values, ranges, node.range, this.#budget));
  }
}
