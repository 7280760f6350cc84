/** Puts parameters into a template's states. What stands in a parameter is the author's own text. */
import type { Json } from "../../model.ts";
import type { Range } from "../finding.ts";
import type { Entry, Located } from "../yaml/located.ts";

const PLACEHOLDER = /\{\{-?\s*\.?parameters\.([A-Za-z_][A-Za-z0-9_-]*)\s*-?\}\}/g;
const WHOLE = new RegExp(`^\\s*${PLACEHOLDER.source}\\s*$`);

export type Values = ReadonlyMap<string, Json>;

/** The names of the parameters that a text uses, with where they stand in it. */
export function placeholders(text: string): { name: string; range: Range }[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => ({
    name: match[1] ?? "",
    range: { start: match.index, end: match.index + match[0].length },
  }));
}

const asText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function fill(text: string, values: Values): Json {
  const whole = WHOLE.exec(text)?.[1];
  // A number or a list stays one where the placeholder is all there is.
  if (whole !== undefined) return values.get(whole) ?? text;
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = values.get(name);
    return value === undefined ? placeholder : asText(value);
  });
}

/** A located value for a plain one: everything in it stands at `range` of the file, though written elsewhere. */
export function foreign(value: Json, range: Range): Located {
  if (Array.isArray(value)) return { value, range, items: value.map((item) => foreign(item, range)) };
  if (typeof value !== "object" || value === null) {
    const text = value === null ? "" : typeof value === "string" ? value : String(value);
    return value === null ? { value, range } : { value, range, scalar: { style: "foreign", text } };
  }
  const entries = Object.entries(value).map(
    ([name, item]) => [name, { key: range, value: foreign(item, range) }] as const,
  );
  return { value, range, entries: new Map<string, Entry>(entries) };
}

/** A copy of a value with every placeholder filled. */
export function substitute(value: Json, values: Values): Json {
  if (typeof value === "string") return value.includes("{{") ? fill(value, values) : value;
  if (Array.isArray(value)) return value.map((item) => substitute(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, substitute(item, values)]));
}
