/** Puts parameters into a template's states. What stands in a parameter is the author's own text. */
import type { Json } from "../../model.ts";
import type { Range } from "../finding.ts";

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
  let made = "";
  let at = 0;
  let trims = false;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const value = values.get(match[1] ?? "");
    if (value === undefined) continue;
    const [found] = match;
    made += trimmed(text.slice(at, match.index), trims, TRIMS_BEFORE.test(found)) + asText(value);
    at = match.index + found.length;
    trims = TRIMS_BEHIND.test(found);
  }
  return made + trimmed(text.slice(at), trims, false);
}

/** `{{- ` and ` -}}` take the blanks beside them away, as in every other template. */
const TRIMS_BEFORE = /^\{\{-\s/;
const TRIMS_BEHIND = /\s-\}\}$/;
const BLANKS = " \t\r\n";

function trimmed(text: string, before: boolean, behind: boolean): string {
  let [start, end] = [0, text.length];
  if (before) while (start < end && BLANKS.includes(text.charAt(start))) start += 1;
  if (behind) while (end > start && BLANKS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A copy of a value with every placeholder filled. */
export function substitute(value: Json, values: Values): Json {
  if (typeof value === "string") return value.includes("{{") ? fill(value, values) : value;
  if (Array.isArray(value)) return value.map((item) => substitute(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, substitute(item, values)]));
}
