/**
 * What a round is called after its item.
 *
 * I1. A label is a whole value or none: the log hides secrets in what it is given, and does not find half of one.
 */
import type { Json } from "../model.ts";

/** UTF-16 units of a label. */
const LONGEST = 200;

/** One line; null for an item that is too long for a name, or has none. */
export function labelOf(item: Json): string | null {
  const text = textOf(item);
  return text === "" || text.length > LONGEST || /[\r\n]/.test(text) ? null : text;
}

/** An object's values, as of a matrix, where they are plain. */
function textOf(item: Json): string {
  if (item === null) return "";
  if (typeof item !== "object") return String(item);
  const values = Array.isArray(item) ? item : Object.values(item);
  if (values.every((value) => typeof value !== "object" || value === null)) return values.map(String).join(", ");
  return JSON.stringify(item);
}
