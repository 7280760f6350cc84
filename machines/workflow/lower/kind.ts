/** Which kind a step is of: by its `type`, or by its fields where that is missing. */

import { meantField } from "../schema/other-words.ts";
import { MARKS, STEP_WORDS, type StepWord } from "../schema/steps.ts";
import type { Located } from "../yaml/located.ts";
import { child } from "../yaml/located.ts";

const byFields = (at: Located): StepWord | null => {
  const words = Object.keys(MARKS) as StepWord[];
  const has = (field: string): boolean => child(at, field) !== undefined;
  const keys = [...(at.entries?.keys() ?? [])];
  return (
    words.find((word) => MARKS[word].some(has)) ??
    words.find((word) => keys.some((key) => meantField(key, MARKS[word]) !== null)) ??
    null
  );
};

/** The words that `type` may have. */
export const TYPE_WORDS: readonly string[] = ["step", ...STEP_WORDS];

/** The kind; the text of `type` when that names none; null when nothing does. */
export function kindOf(at: Located): { word: StepWord } | { unknown: string } | null {
  const given = child(at, "type");
  if (given === undefined) {
    const word = byFields(at);
    return word === null ? null : { word };
  }
  const text = (given.scalar?.text ?? "").toLowerCase();
  const runs = child(at, "command") ?? child(at, "script_file");
  if (text === "step" || text === "command") {
    // Older files say `type: step` with an operation.
    return { word: runs === undefined && child(at, "operation") !== undefined ? "operation" : "command" };
  }
  const word = STEP_WORDS.find((each) => each === text);
  return word === undefined ? { unknown: given.scalar?.text ?? "" } : { word };
}
