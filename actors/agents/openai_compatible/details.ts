/**
 * The thoughts of an answer as `reasoning_details`: a list of parts, of which each piece of a stream brings some.
 *
 * I1. They go back in the order and the form in which they came: words of one part become one part again.
 */

import type { Json } from "../../../machines/model.ts";
import { type Fields, fieldsOf, textAt } from "../../base/json.ts";

/** The fields of words that grow; what is encrypted comes whole. */
const WORDS: readonly (readonly [type: string, field: string])[] = [
  ["reasoning.text", "text"],
  ["reasoning.summary", "summary"],
];

/** The list with one more, or with its last part grown where it goes on with that. */
export function withDetail(details: readonly Json[], more: Fields): Json[] {
  const last = fieldsOf(details.at(-1));
  const field = WORDS.find(([type]) => type === more["type"])?.[1];
  if (field === undefined || !goesOn(last, more)) return [...details, { ...more }];
  const said = Object.entries(more).filter(([, value]) => value !== null);
  const words = (textAt(last, field) ?? "") + (textAt(more, field) ?? "");
  return [...details.slice(0, -1), { ...last, ...Object.fromEntries(said), [field]: words }];
}

const goesOn = (last: Fields, more: Fields): boolean =>
  last["type"] === more["type"] && (last["index"] ?? null) === (more["index"] ?? null);
