/** Values of a template's file, as a step has them. */
import type { Json } from "../../model.ts";
import type { Range } from "../finding.ts";
import type { Entry, Located } from "../yaml/located.ts";

/** Says of a place in the template's file where that is: `template "check", line 7`. */
export type TemplatePlace = (range: Range) => string;

/**
 * A located value for a plain one: for findings everything in it stands at `range` of the workflow's file. `from`: what
 * it was made of, as the template's file has it; a parameter's value has the place of its placeholder.
 */
export function foreign(value: Json, range: Range, from: Located, written: TemplatePlace): Located {
  const place = { range, written: () => written(from.range) };
  if (Array.isArray(value))
    return {
      ...place,
      value,
      items: value.map((item, index) => foreign(item, range, from.items?.[index] ?? from, written)),
    };
  if (typeof value !== "object" || value === null) {
    const text = value === null ? "" : typeof value === "string" ? value : String(value);
    return value === null ? { ...place, value } : { ...place, value, scalar: { style: "foreign", text } };
  }
  const entries = Object.entries(value).map(
    ([name, item]) =>
      [name, { key: range, value: foreign(item, range, from.entries?.get(name)?.value ?? from, written) }] as const,
  );
  return { ...place, value, entries: new Map<string, Entry>(entries) };
}
