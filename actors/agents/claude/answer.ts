/**
 * The answer that a `result` line holds: where a schema was asked for, what the model handed over in that shape.
 *
 * I1. A program with work in the background gives several results, and not each has the shape: the last that has it
 *     counts, until a result fails.
 */
import { type Json, own } from "../../../machines/model.ts";
import { type Fields, textAt } from "../../base/json.ts";

/** Some versions call the end at a limit of turns no error, but for its `subtype`. */
export const hasFailed = (result: Fields): boolean =>
  own(result, "is_error") === true || textAt(result, "subtype")?.startsWith("error_") === true;

export const shapeIn = (result: Fields): Json => own(result, "structured_output") ?? null;

/** `before`: the shape that an earlier result had, or null. */
export function answerIn(result: Fields, before: Json): string {
  const shaped = shapeIn(result) ?? before;
  return shaped === null ? (textAt(result, "result") ?? "") : JSON.stringify(shaped);
}
