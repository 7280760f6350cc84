/**
 * What values are to a template: kinds, truth, members, text.
 *
 * I1. Own properties only: `constructor` is a missing name like any other.
 * I2. Objects and arrays print as JSON, never as Go's `map[…]`.
 */
import type { Json } from "../../model.ts";
import { suggest } from "../suggest.ts";
import type { Range } from "./ast.ts";

/** A template that cannot be rendered. `range` is the place in the template's source. */
export class TemplateError extends Error {
  readonly code = "WORKFLOW.TEMPLATE.RENDERING";
  readonly range: Range;
  constructor(message: string, range: Range) {
    super(message);
    this.name = "TemplateError";
    this.range = range;
  }
}

/** A function's complaint; the renderer adds the place. */
export class FunctionError extends Error {}

export const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function kindOf(value: Json): string {
  if (value === null) return "nil";
  if (Array.isArray(value)) return "list";
  return typeof value === "object" ? "object" : typeof value;
}

/** Go's truth: false, 0, "", nil and empty lists and objects are false. */
export function isTrue(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** Strings raw, numbers and booleans plain, nil as Go's `<no value>`, the rest as JSON. */
export function textOf(value: Json): string {
  if (value === null) return "<no value>";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const listed = (names: readonly string[]): string => {
  if (names.length === 0) return "nothing is there";
  const shown = names.slice(0, 20).join(", ");
  return `there is: ${shown}${names.length > 20 ? `, and ${names.length - 20} more` : ""}`;
};

function missing(name: string, place: string, names: readonly string[]): string {
  // Of results only those are here that the step reads: which others there are cannot be said.
  if (place === ".states") return `no state "${name}" has run before this`;
  // What else a user has set is no help, and no matter of a log.
  if (place === ".env") return `the variable ${name} of the environment is not set`;
  return `"${name}" does not exist in ${place}; ${listed(names)}`;
}

/**
 * Reads `path` from `value`. `written` is the expression as the author wrote it, `prefix` what stands for `value`.
 * A missing name is an error that lists what exists and what was probably meant.
 */
export function memberOf(
  value: Json,
  path: readonly string[],
  written: string,
  prefix: string,
  range: Range,
  hint = "",
): Json {
  let current = value;
  let where = prefix;
  for (const name of path) {
    const place = where === "" ? "the template" : where;
    if (!isObject(current)) {
      throw new TemplateError(`${written}: ${place} is a ${kindOf(current)} and has no "${name}"${hint}`, range);
    }
    if (!Object.hasOwn(current, name)) {
      const names = Object.keys(current);
      const meant = suggest(name, names);
      const question = meant === null ? "" : `; did you mean "${meant}"?`;
      throw new TemplateError(`${written}: ${missing(name, place, names)}${question}${hint}`, range);
    }
    current = current[name] ?? null;
    where = where === "" || where === "." ? `.${name}` : `${where}.${name}`;
  }
  return current;
}
