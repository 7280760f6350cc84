/** Owns the functions over arrays and maps, and over values as a whole. */

import type { Json } from "../../../model.ts";
import { memberOf } from "../lookup.ts";
import { areEqual, asNumber, order } from "../values.ts";
import type { FunctionCall, Functions, Signature } from "./call.ts";

const one = (usage: string, apply: (call: FunctionCall) => Json): Signature => ({ least: 1, most: 1, usage, apply });

export const COLLECTION_FUNCTIONS: Functions = {
  len: one("(text or array or map)", len),
  keys: one("(map)", (call) => Object.keys(call.map(0))),
  values: one("(map)", (call) => Object.values(call.map(0))),
  first: one("(array)", (call) => call.array(0)[0] ?? null),
  last: one("(array)", (call) => call.array(0).at(-1) ?? null),
  reverse: one("(array)", (call) => [...call.array(0)].reverse()),
  sort: one("(array)", sort),
  uniq: one("(array)", uniq),
  get: { least: 2, most: 2, usage: "(map or array, key)", apply: get },
  concat: { least: 1, most: Number.POSITIVE_INFINITY, usage: "(array, …)", apply: concat },
  join: { least: 1, most: 2, usage: "(array, separator)", apply: join },
  string: one("(value)", (call) => written(call, call.at(0))),
  type: one("(value)", (call) => typeName(call.at(0))),
  toJSON: one("(value)", (call) => json(call, call.at(0))),
  fromJSON: one("(text)", fromJSON),
};

function len(call: FunctionCall): Json {
  const value = call.at(0);
  if (typeof value === "string") {
    // Characters, not UTF-16 units: a pair counts once.
    let length = 0;
    for (const _ of call.text(0)) length++;
    return length;
  }
  if (Array.isArray(value)) return value.length;
  if (typeof value === "object" && value !== null) return Object.keys(value).length;
  throw call.wrong(0, "a string, an array or a map");
}

function get(call: FunctionCall): Json {
  const value = call.at(0);
  if (value === null) return null;
  if (!Array.isArray(value)) return memberOf(call.map(0), call.text(1), false);
  const at = call.number(1);
  if (!Number.isInteger(at)) throw call.wrong(1, "a whole number");
  return value.at(at) ?? null;
}

function sort(call: FunctionCall): Json {
  const items = call.array(0);
  call.budget.spend(items.length * 16, call.range);
  return [...items].sort((a, b) => {
    const relation = order(a, b);
    if (typeof relation === "number") return relation;
    throw call.fail("sort() expects numbers only or strings only", 0);
  });
}

function uniq(call: FunctionCall): Json {
  const kept: Json[] = [];
  for (const item of call.array(0)) {
    const isKnown = kept.some((other) => {
      call.budget.walk(item, call.range);
      return areEqual(other, item);
    });
    if (!isKnown) kept.push(item);
  }
  return kept;
}

function concat(call: FunctionCall): Json {
  return call.values.flatMap((_, position) => call.array(position));
}

function join(call: FunctionCall): Json {
  const separator = call.values.length > 1 ? call.text(1) : "";
  const parts = call.array(0).map((item) => written(call, item));
  const length = parts.reduce((sum, part) => sum + part.length, 0) + separator.length * Math.max(0, parts.length - 1);
  call.budget.make(length, call.range);
  return parts.join(separator);
}

/** A value as text: texts as they are, null as nothing, arrays and maps as JSON. */
function written(call: FunctionCall, value: Json): string {
  if (value === null) return "";
  if (typeof value === "object") return json(call, value);
  const text = String(value);
  call.budget.make(text.length, call.range);
  call.budget.read(text, call.range);
  return text;
}

function json(call: FunctionCall, value: Json): string {
  call.budget.walk(value, call.range);
  const text = JSON.stringify(value);
  call.budget.make(text.length, call.range);
  return text;
}

function fromJSON(call: FunctionCall): Json {
  const text = call.text(0);
  call.budget.make(text.length, call.range);
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw call.fail("fromJSON() expects a JSON text", 0);
  }
}

function typeName(value: Json): string {
  if (value === null) return "nil";
  if (Array.isArray(value)) return "array";
  if (typeof value === "object") return "map";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Number.isInteger(asNumber(value)) ? "int" : "float";
}
