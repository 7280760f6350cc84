/**
 * Owns the bounds of one evaluation.
 *
 * I1. Work that grows with a value (its text, its items) is paid for in steps before it is done.
 */

import type { Json } from "../../model.ts";
import { ExpressionError } from "./error.ts";
import type { Range } from "./syntax.ts";

export const MAX_STEPS = 100_000;
/** Longest text an expression may make, in UTF-16 units. Longer texts may be read. */
export const MAX_TEXT_LENGTH = 1024 * 1024;
/** Deepest value that is compared or written as text as a whole. */
export const MAX_VALUE_DEPTH = 256;

const CHARACTERS_A_STEP = 4096;

export class Budget {
  #left = MAX_STEPS;

  spend(steps: number, range: Range): void {
    this.#left -= steps;
    if (this.#left < 0) throw new ExpressionError(`the expression takes more than ${MAX_STEPS} steps`, range);
  }

  /** Pays for going over a text `times` times. */
  read(text: string, range: Range, times = 1): void {
    this.spend(Math.ceil((text.length * times) / CHARACTERS_A_STEP), range);
  }

  /** Refuses a text before it is made. */
  make(length: number, range: Range): void {
    if (length <= MAX_TEXT_LENGTH) return;
    throw new ExpressionError(
      `the text would have ${length} characters: at most ${MAX_TEXT_LENGTH} are allowed`,
      range,
    );
  }

  /** Pays for going over a whole value, refusing one too deep to walk. */
  walk(value: Json, range: Range, depth = 1): void {
    if (depth > MAX_VALUE_DEPTH) {
      throw new ExpressionError(`the value is nested more than ${MAX_VALUE_DEPTH} levels deep`, range);
    }
    this.spend(1, range);
    if (typeof value === "string") this.read(value, range);
    if (typeof value !== "object" || value === null) return;
    for (const item of Array.isArray(value) ? value : Object.values(value)) this.walk(item, range, depth + 1);
  }
}
