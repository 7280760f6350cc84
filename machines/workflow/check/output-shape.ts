/**
 * Which fields an answer can have, as far as its `output_schema` says so.
 *
 * I1. Only what no reading of the schema allows is unknown: where one part of it is open or is not understood, anything
 *     may stand there.
 * I2. A schema that refers to itself is followed no further than MOST_STEPS.
 */
import { type Json, own } from "../../model.ts";
import type { Node } from "../document.ts";
import { meantProperty } from "../other-names.ts";

type Schema = { [keyword: string]: Json };
/** `path`: the first names that are not there, `fields` what stands beside the last of them. */
type UnknownField = { path: readonly string[]; fields: string[] };

const MOST_STEPS = 500;
const isSchema = (value: Json | undefined): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first field on the way that the answer of this step cannot have, or null. */
export function unknownField(node: Node, way: readonly string[]): UnknownField | null {
  const given = shapeOf(node);
  if (!isSchema(given)) return null;
  const walk = new Walk(given);
  let at: Json[] = [given];
  for (const [index, name] of way.entries()) {
    const found = walk.below(at, name);
    if (found.type === "open") return null;
    if (found.type === "none") return { path: way.slice(0, index + 1), fields: found.fields };
    at = found.schemas;
  }
  return null;
}

/** What is known of an answer: what its step asks for, or what its schema says. */
function shapeOf(node: Node): Json | undefined {
  switch (node.type) {
    case "agent":
    case "command":
      return node.outputSchema?.schema;
    case "ask": {
      const properties = Object.fromEntries(node.questions.map(({ name, type }) => [name, { type }]));
      return { type: "object", properties, additionalProperties: false };
    }
    default:
      return undefined;
  }
}

type Below = { type: "open" } | { type: "some"; schemas: Json[] } | { type: "none"; fields: string[] };
const OPEN: Below = { type: "open" };

class Walk {
  readonly #root: Schema;
  #left = MOST_STEPS;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** What stands below a name in a value of which each of these schemas may be the one. */
  below(schemas: readonly Json[], name: string): Below {
    const parts = schemas.flatMap((schema) => this.#parts(schema));
    const found: Json[] = [];
    const fields: string[] = [];
    for (const part of parts) {
      if (part === null) return OPEN;
      const under = member(part, name);
      if (under.type === "open") return OPEN;
      if (under.type === "some") found.push(...under.schemas);
      else fields.push(...under.fields);
    }
    return found.length > 0 ? { type: "some", schemas: found } : { type: "none", fields: [...new Set(fields)] };
  }

  /** The schema and those that it is made of; null for one that says nothing, or too much. */
  #parts(schema: Json | undefined): (Schema | null)[] {
    this.#left -= 1;
    if (this.#left < 0 || !isSchema(schema)) return [null];
    if (CONDITIONAL.some((keyword) => keyword in schema)) return [null];
    const reference = own(schema, "$ref");
    if (reference !== undefined) return this.#parts(typeof reference === "string" ? this.#at(reference) : undefined);
    const made = COMBINED.flatMap((keyword) => {
      const list = own(schema, keyword);
      return Array.isArray(list) ? list : [];
    });
    const own_ = MEMBERS.some((keyword) => keyword in schema) || made.length === 0 ? [schema] : [];
    return [...own_, ...made.flatMap((part) => this.#parts(part))];
  }

  /** What `#/$defs/name` points at. */
  #at(reference: string): Json | undefined {
    if (reference === "#") return this.#root;
    if (!reference.startsWith("#/")) return undefined;
    let at: Json | undefined = this.#root;
    for (const part of reference.slice(2).split("/")) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      at = isSchema(at) ? own(at, name) : undefined;
    }
    return at;
  }
}

const COMBINED = ["anyOf", "oneOf", "allOf"];
const CONDITIONAL = ["if", "$dynamicRef", "patternProperties", "dependentSchemas", "unevaluatedProperties"];
const MEMBERS = ["properties", "items", "prefixItems", "additionalProperties", "type"];
/** What has no members at all. */
const PLAIN = ["string", "number", "integer", "boolean", "null"];

function member(schema: Schema, name: string): Below {
  const type = own(schema, "type");
  const properties = own(schema, "properties");
  const items = own(schema, "items");
  const more = own(schema, "additionalProperties");
  if (isSchema(properties)) {
    const under = own(properties, name);
    if (under !== undefined) return { type: "some", schemas: [under] };
    return more === undefined || more === false ? { type: "none", fields: Object.keys(properties) } : OPEN;
  }
  if (more === false) return { type: "none", fields: [] };
  if (isSchema(more)) return { type: "some", schemas: [more] };
  if (isSchema(items) && /^\d+$/.test(name)) return { type: "some", schemas: [items] };
  if (typeof type === "string" && PLAIN.includes(type)) return { type: "none", fields: [] };
  return OPEN;
}

/** What a property of a result that is none stands for: the answer to a question of that name, or another language's word. */
export const meantOf = (node: Node | undefined, name: string): string | null =>
  node?.type === "ask" && node.questions.some((question) => question.name === name)
    ? `JSON.${name}`
    : meantProperty(name);
