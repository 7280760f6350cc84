/** The fields of a workflow's file, as its schema tells them to editors: a line each. */
import { workflowJsonSchema } from "../../../../machines/workflow/schema/json-schema.ts";

type Schema = {
  anyOf?: Schema[];
  const?: unknown;
  enum?: string[];
  type?: string | string[];
  items?: Schema;
  properties?: { [name: string]: Schema };
  additionalProperties?: Schema | boolean;
  required?: string[];
  description?: string;
} & { [bound in (typeof BOUNDS)[number]]?: unknown };
const BOUNDS = ["pattern", "minimum", "maximum", "exclusiveMinimum", "minLength"] as const;

const YES = "yes/no/on/off/Yes/No/On/Off/YES/NO/ON/OFF/true/false";
const DURATION = String.raw`^(?:(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|\d+(?:\.\d+)?)$`;
const LARGEST = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, Number.MAX_VALUE] as unknown[];

/** What a field takes: `text` is any word or number, `YES` the words for yes and no, `{}` fields of its own. */
function taken(schema: Schema): string {
  const { anyOf, type, properties, additionalProperties: inner, items } = schema;
  if (anyOf !== undefined)
    return anyOf
      .map(taken)
      .filter((one) => one !== "null")
      .join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.join("/").replace(YES, "YES");
  if (type === "array") return `[${items === undefined ? "" : taken(items)}]`;
  if (type === "object" && properties !== undefined) return "{}";
  if (type === "object") return `map<${typeof inner === "object" ? taken(inner) : ""}>`;
  const bounds = BOUNDS.filter((bound) => schema[bound] !== undefined && !LARGEST.includes(schema[bound]));
  const said = bounds.map((bound) => (schema[bound] === DURATION ? " DURATION" : ` ${bound}=${schema[bound]}`));
  return `${String(type ?? "any").replace("string,number,boolean", "text")}${said.join("")}`;
}

/** All fields: by a line each, and those without a description. */
export function fieldsOf(root: Schema): { lines: string[]; unexplained: string[] } {
  const [lines, unexplained] = [new Set<string>(), [] as string[]];
  const walk = (schema: Schema, path: string): void => {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const at = path === "" ? name : `${path}.${name}`;
      if ((field.description ?? "") === "") unexplained.push(at);
      lines.add(`${at}${schema.required?.includes(name) ? "" : "?"}: ${taken(field)}`);
      walk(field, at);
    }
    for (const one of schema.anyOf ?? []) walk(one, path);
    if (schema.items !== undefined) walk(schema.items, `${path}[]`);
    if (typeof schema.additionalProperties === "object") walk(schema.additionalProperties, `${path}.*`);
  };
  walk(root, "");
  return { lines: [...lines], unexplained };
}

export const SCHEMA = workflowJsonSchema({ providers: [], agentOptions: {}, operations: {} }) as Schema & {
  title: string;
};
