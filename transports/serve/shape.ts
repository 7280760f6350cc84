/**
 * What a client sent, checked by a schema; what is wrong is said in our words.
 *
 * I1. Each fault names the field and what was expected there; where a schema has words of its own, those are said.
 * I2. A field that is not there is told with the nearest one that is.
 */
import type { z } from "zod";
import { Suggestions } from "../../actors/troupe.ts";

export type FieldFault = { field: string; message: string };
export type Shaped<T> = { ok: true; value: T } | { ok: false; faults: readonly FieldFault[] };
type Raw = z.core.$ZodRawIssue;

const KINDS: { readonly [kind: string]: string } = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};
const MEASURED: { readonly [origin: string]: readonly [what: string, unit: string] } = {
  string: ["text", "character"],
  array: ["a list", "item"],
};

/** `where`: what the value is called, as `body`; "" where fields go by their own names. */
export function shaped<T extends z.ZodType>(schema: T, value: unknown, where: string): Shaped<z.output<T>> {
  const known = new Map<string, readonly string[]>();
  const found = schema.safeParse(value, {
    error: (issue) => {
      if (issue.code === "unrecognized_keys") known.set(placeOf(issue.path), namesOf(issue.inst));
      return expected(issue);
    },
  });
  if (found.success) return { ok: true, value: found.data };
  const suggestions = new Suggestions(); // a body may have very many such fields
  const faults = found.error.issues.flatMap((issue): FieldFault[] => {
    const path = [...(where === "" ? [] : [where]), ...issue.path.map(String)];
    if (issue.code !== "unrecognized_keys") return [{ field: path.join("."), message: issue.message }];
    const names = known.get(placeOf(issue.path)) ?? [];
    return issue.keys.map((key) => ({
      field: [...path, key].join("."),
      message: noField(suggestions.suggest(key, names)),
    }));
  });
  return { ok: false, faults };
}

const placeOf = (path: readonly PropertyKey[] = []): string => JSON.stringify(path.map(String));

/** The fields that the schema of an object has; it is a schema's private word, of zod itself. */
function namesOf(schema: unknown): readonly string[] {
  const { shape = {} } = (schema ?? {}) as { shape?: object };
  return Object.keys(shape);
}

const noField = (meant: string | null): string =>
  meant === null ? "there is no such field" : `there is no such field; did you mean "${meant}"?`;

function expected(issue: Raw): string {
  const words = `expected ${wanted(issue)}`;
  return issue.input === undefined ? `${words}, and there is none` : words;
}

function wanted(issue: Raw): string {
  switch (issue.code) {
    case "invalid_type":
      return KINDS[issue.expected] ?? issue.expected;
    case "invalid_value":
      return `${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      return limited(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return limited(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_format":
      return issue.format === "datetime" ? "a time, as 2026-01-31T12:00:00Z" : `text of the form ${issue.format}`;
    case "invalid_union":
      return [...new Set(issue.errors.flat().map(({ message }) => message.replace(/^expected /, "")))].join(", or ");
    default:
      return "another value";
  }
}

function limited(origin: string, how: string, limit: number | bigint): string {
  const measured = MEASURED[origin];
  if (measured === undefined) return `a number of ${how} ${limit}`;
  const [what, unit] = measured;
  return `${what} of ${how} ${limit} ${unit}${Number(limit) === 1 ? "" : "s"}`;
}
