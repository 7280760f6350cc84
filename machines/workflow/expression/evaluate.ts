/**
 * Owns the value of an expression: pure, from a scope of JSON values.
 *
 * I1. What is missing is null; a comparison or a question about null is false, except `!=`, and `==` beside null.
 *     What a state would say that has not run is in no relation to anything: beside it `!=` and
 *     `not in` are false too, as are the others that `not` may stand before, in either spelling.
 * I2. Own properties only, and no code of the host language is ever reached by name.
 * I3. Ends within the budget, or throws `ExpressionError` with the range to blame.
 * I4. `and`, `or`, `??` and `? :` evaluate only the side they need.
 */

import { type Json, own } from "../../model.ts";
import { arithmetic } from "./arithmetic.ts";
import { Budget } from "./budget.ts";
import { compare } from "./comparison.ts";
import { ExpressionError } from "./error.ts";
import { FunctionCall } from "./functions/call.ts";
import { functionNamed } from "./functions/table.ts";
import { absentState, hasFoldedMembers, memberOf, propertyOf, stateOf, wasCut } from "./lookup.ts";
import { shown } from "./print.ts";
import { type Expression, isNegatable } from "./syntax.ts";
import { asBoolean, describe } from "./values.ts";

/** The values of the root names: `inputs`, `states`, `loop` and so on. */
export type EvaluationScope = { readonly [name: string]: Json };

/**
 * What a reader should know about an answer: it compared with a state that has not run, or read an output that was cut.
 */
export type Remark = { kind: "not run" | "cut"; state: string };
type Note = (remark: Remark) => void;

/** The value of an expression; null for what is missing. Throws `ExpressionError`. */
export function evaluate(expression: Expression, scope: EvaluationScope): Json {
  return new Evaluation(scope).value(expression);
}

/**
 * Whether a condition holds. Null counts as false, and a text that spells `true` or `false` as that boolean, as inputs
 * are texts. Throws `ExpressionError` for any other kind of result. `note` hears what is remarkable about it.
 */
export function holds(expression: Expression, scope: EvaluationScope, note?: Note): boolean {
  return new Evaluation(scope, note).boolean(expression, "a condition is true or false");
}

class Evaluation {
  readonly #scope: EvaluationScope;
  readonly #budget = new Budget();
  readonly #note: Note | undefined;
  /** The names of the `let`s around, the nearest last. */
  readonly #bound: { name: string; value: Json }[] = [];

  constructor(scope: EvaluationScope, note?: Note) {
    this.#scope = scope;
    this.#note = note;
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
        return this.#named(node.name);
      case "member":
        return this.#member(node);
      case "index":
        return this.#indexed(node);
      case "slice":
        return this.#slice(node);
      case "let":
        return this.#let(node);
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

  #named(name: string): Json {
    const bound = this.#bound.findLast((each) => each.name === name);
    return (bound === undefined ? own(this.#scope, name) : bound.value) ?? null;
  }

  #member(node: Expression & { kind: "member" }): Json {
    const object = this.value(node.object);
    const state = stateOf(node.object);
    if (state === null) return memberOf(object, node.name, hasFoldedMembers(node.object));
    if (wasCut(object, node.name)) this.#note?.({ kind: "cut", state });
    return propertyOf(object, node.name);
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

  /** The part of a text or an array; bounds beyond its ends are its ends, and negative ones count from the end. */
  #slice(node: Expression & { kind: "slice" }): Json {
    const object = this.value(node.object);
    if (object === null) return null;
    if (typeof object !== "string" && !Array.isArray(object)) {
      const message = `only strings and arrays have slices, but ${shown(node.object)} is ${describe(object)}`;
      throw new ExpressionError(message, node.object.range);
    }
    const [from, to] = [this.#end(node.from) ?? 0, this.#end(node.to) ?? Number.POSITIVE_INFINITY];
    if (typeof object !== "string") {
      this.#budget.spend(object.length, node.range);
      return object.slice(from, to);
    }
    this.#budget.read(object, node.range);
    return Array.from(object).slice(from, to).join("");
  }

  #end(bound: Expression | null): number | null {
    if (bound === null) return null;
    const value = this.value(bound);
    if (typeof value === "number" && Number.isInteger(value)) return value;
    throw new ExpressionError(`a slice ends at a whole number, but ${shown(bound)} is ${describe(value)}`, bound.range);
  }

  #let({ name, value, body }: Expression & { kind: "let" }): Json {
    this.#bound.push({ name, value: this.value(value) });
    const result = this.value(body);
    this.#bound.pop();
    return result;
  }

  #unary(node: Expression & { kind: "unary" }): Json {
    const { operand } = node;
    if (node.operator === "not") {
      const isOne = operand.kind === "binary" && isNegatable(operand.operator);
      if (isOne && this.#asksInVain(operand.left, operand.right)) return false;
      return !this.boolean(operand, '"not" takes true or false');
    }
    const zero: Expression = { kind: "literal", value: 0, range: node.range };
    return arithmetic(node.operator, [zero, operand], [0, this.value(operand)], node.range, this.#budget);
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
        if (this.#asksInVain(left, right)) return false;
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

  /** Whether one side is what a state would say that has not run, and the other is not null as it is written (I1). */
  #asksInVain(left: Expression, right: Expression): boolean {
    if (isNull(left) || isNull(right)) return false;
    const state = absentState(left, this.#scope) ?? absentState(right, this.#scope);
    if (state === null) return false;
    this.#note?.({ kind: "not run", state });
    return true;
  }

  #call(node: Expression & { kind: "call" }): Json {
    const signature = functionNamed(node.name);
    if (signature === null) throw new ExpressionError(`unknown function "${node.name}"`, node.range);
    const values = node.arguments.map((argument) => this.value(argument));
    const ranges = node.arguments.map((argument) => argument.range);
    return signature.apply(new FunctionCall(node.name, values, ranges, node.range, this.#budget));
  }
}

const isNull = (node: Expression): boolean => node.kind === "literal" && node.value === null;
