/** The items of a `range`. I1. Objects are walked in the order of their names, as in Go. */
import type { Json } from "../../model.ts";
import { MAX_STEPS, type Pipe } from "./ast.ts";
import { printPipe } from "./print.ts";
import { isObject, kindOf, TemplateError } from "./value.ts";

/** What to do about a text: one of JSON is no list before something has read it. */
const hintFor = (text: string): string =>
  /^\s*[[{]/.test(text)
    ? "; it looks like JSON: give its step an output_schema (or an agent output_format: json) and go over states.<step>.JSON, or let a for_each go over it"
    : '; use split, as in {{range split .inputs.list ","}}';

/** What `range` walks over: a list by index, an object by its sorted names, a number by counting. */
export function entriesOf(value: Json, pipe: Pipe): [Json, Json][] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.map((item, at) => [at, item]);
  if (isObject(value))
    return Object.keys(value)
      .sort()
      .map((name) => [name, value[name] ?? null]);
  if (typeof value === "number" && Number.isInteger(value) && value <= MAX_STEPS) {
    return Array.from({ length: Math.max(0, value) }, (_, at) => [at, at]);
  }
  const hint = typeof value === "string" ? hintFor(value) : "";
  throw new TemplateError(
    `range ${printPipe(pipe)}: a list or object expected, found ${kindOf(value)}${hint}`,
    pipe.range,
  );
}
