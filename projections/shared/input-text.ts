/** The input of a tool as a person reads it. */
import type { Json } from "../../machines/model.ts";

/** One line a field, nothing left out; a text stands as it is. */
export const inputText = (input: Json): string => fieldsOf(input).join("\n");

/** All of it on one line. */
export const inputLine = (input: Json): string =>
  fieldsOf(input)
    .map((field) => field.replaceAll("\n", "\\n"))
    .join(", ");

function fieldsOf(input: Json): string[] {
  if (typeof input === "string") return [input];
  if (input === null || typeof input !== "object" || Array.isArray(input)) return [JSON.stringify(input)];
  return Object.entries(input).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
}
