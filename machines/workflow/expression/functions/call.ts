/** Owns what a function sees of its call, and how it asks for arguments of a kind. */

import type { Json } from "../../../model.ts";
import type { Budget } from "../budget.ts";
import { ExpressionError } from "../error.ts";
import type { Range } from "../syntax.ts";
import { asNumber, describe } from "../values.ts";

export class FunctionCall {
  readonly name: string;
  readonly values: readonly Json[];
  readonly range: Range;
  readonly budget: Budget;
  readonly #ranges: readonly Range[];

  constructor(name: string, values: readonly Json[], ranges: readonly Range[], range: Range, budget: Budget) {
    this.name = name;
    this.values = values;
    this.range = range;
    this.budget = budget;
    this.#ranges = ranges;
  }

  at(position: number): Json {
    return this.values[position] ?? null;
  }

  text(position: number): string {
    const value = this.at(position);
    if (typeof value !== "string") throw this.wrong(position, "a string");
    this.budget.read(value, this.range);
    return value;
  }

  /** A number, or a text that spells one. */
  number(position: number): number {
    const value = asNumber(this.at(position));
    if (value === null) throw this.wrong(position, "a number");
    return value;
  }

  array(position: number): readonly Json[] {
    const value = this.at(position);
    if (!Array.isArray(value)) throw this.wrong(position, "an array");
    this.budget.spend(value.length, this.range);
    return value;
  }

  map(position: number): { readonly [name: string]: Json } {
    const value = this.at(position);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.wrong(position, "a map");
    this.budget.spend(Object.keys(value).length, this.range);
    return value;
  }

  /** Numbers given one by one, or as one array. */
  numbers(): number[] {
    if (!Array.isArray(this.at(0))) return this.values.map((_, position) => this.number(position));
    return this.array(0).map((item) => {
      const value = asNumber(item);
      if (value === null) throw this.fail(`${this.name}() expects numbers, one item is ${describe(item)}`, 0);
      return value;
    });
  }

  /** The error of an argument of the wrong kind. */
  wrong(position: number, expected: string): ExpressionError {
    const given = describe(this.at(position));
    return this.fail(`${this.name}() expects ${expected} as argument ${position + 1}, got ${given}`, position);
  }

  fail(message: string, position: number): ExpressionError {
    return new ExpressionError(message, this.#ranges[position] ?? this.range);
  }
}

/** How many arguments a function takes, how that is written, and what it does. */
export type Signature = {
  readonly least: number;
  readonly most: number;
  readonly usage: string;
  readonly apply: (call: FunctionCall) => Json;
};

export type Functions = { readonly [name: string]: Signature };
