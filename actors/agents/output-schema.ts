/**
 * Which schemas a model's provider takes itself, beside what the prompt says of them.
 *
 * I1. A schema outside the part of JSON Schema that all of them take is given only in words. Otherwise the provider
 *     would refuse it, and the step would fail.
 */
import { type Json, own } from "../../machines/model.ts";
import { fieldsOf, isFields } from "../base/json.ts";

/** An argument of a program may not be longer than 128 KiB. */
const LONGEST = 64 * 1024;
const KNOWN = new Set(
  ["type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs"].concat(
    ...[["title", "description", "pattern", "minimum", "maximum", "multipleOf", "minItems", "maxItems"]],
    ...[["exclusiveMinimum", "exclusiveMaximum", "format"]],
  ),
);

/** The schema as a tool's input: an object. `undefined` where it is given only in words. */
export function objectSchema(schema: Json | undefined): Json | undefined {
  const isObject = isFields(schema) && own(schema, "type") === "object" && JSON.stringify(schema).length <= LONGEST;
  return isObject ? schema : undefined;
}

/** The schema where it is in the strict part, in which every object names all that it has; otherwise undefined. */
export function strictSchema(schema: Json | undefined): Json | undefined {
  const given = objectSchema(schema);
  return given !== undefined && isStrict(given) ? given : undefined;
}

function isStrict(schema: Json | undefined): boolean {
  if (!isFields(schema) || Object.keys(schema).some((keyword) => !KNOWN.has(keyword))) return false;
  const { properties, required, additionalProperties, items, anyOf, $defs, type } = schema as { [name: string]: Json };
  const parts = [...Object.values(fieldsOf(properties)), ...Object.values(fieldsOf($defs))];
  if (items !== undefined) parts.push(items);
  if (Array.isArray(anyOf)) parts.push(...anyOf);
  if (!parts.every(isStrict)) return false;
  if (type !== "object" && properties === undefined) return true;
  const names = Array.isArray(required) ? required : [];
  return additionalProperties === false && Object.keys(fieldsOf(properties)).every((name) => names.includes(name));
}
