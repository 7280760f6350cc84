/**
 * Whether the `output_schema` of a step is a JSON Schema that can be used.
 *
 * I1. Nothing of the schema is made into code here: that is done when a step of a trusted directory runs.
 */
import { RE2JS } from "re2js";
import type { Json } from "../../machines/model.ts";
import type { AgentNode, CommandNode } from "../../machines/workflow/document.ts";
import { schemaFaults } from "../effects/shape.ts";
import type { Faults } from "./subject.ts";

type Place = readonly (string | number)[];
type SchemaFault = { at: Place; message: string };

/** Deeper or larger than this is no shape that a person wrote. */
const DEEPEST = 64;
const LARGEST = 256 * 1024;

export async function checkShape({ name, outputSchema }: AgentNode | CommandNode, faults: Faults): Promise<void> {
  if (outputSchema === undefined || outputSchema.schema === null) return;
  const { schema, file } = outputSchema;
  const found =
    JSON.stringify(schema).length > LARGEST ? [TOO_LARGE] : [...plain(schema), ...(await schemaFaults(schema))];
  for (const { at, message } of found.slice(0, 3)) {
    const where = file === undefined ? ["output_schema", ...at] : ["output_schema"];
    const said = file === undefined ? message : `${message} (in ${file})`;
    faults.add(name, { code: "WORKFLOW.PARSE.INVALID_FIELD", message: said, expected: "a JSON Schema", at: where });
  }
}

const TOO_LARGE: SchemaFault = { at: [], message: `output_schema is longer than ${LARGEST} characters` };

/** Faults that the schema of schemas does not know: references that lead nowhere, and patterns that cannot be matched. */
function plain(root: Json): SchemaFault[] {
  const found: SchemaFault[] = [];
  const walk = (value: Json, at: Place): void => {
    if (typeof value !== "object" || value === null) return;
    if (at.length > DEEPEST) {
      found.push({ at: [], message: "output_schema is nested too deep" });
      return;
    }
    if (!Array.isArray(value)) {
      const message = faultOf(value, root);
      if (message !== null) found.push({ at, message });
    }
    for (const [name, below] of Object.entries(value)) {
      if (!DATA.includes(name)) walk(below, [...at, Array.isArray(value) ? Number(name) : name]);
    }
  };
  walk(root, []);
  return found;
}
/** Values of these are no schemas. */
const DATA = ["enum", "const", "default", "examples"];

function faultOf({ $ref, pattern }: { [name: string]: Json }, root: Json): string | null {
  if (typeof $ref === "string" && !leads($ref, root)) {
    return `"$ref" of output_schema leads nowhere: "${$ref}"; a schema refers to its own parts, as #/$defs/name`;
  }
  if (typeof pattern !== "string") return null;
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    return `"pattern" of output_schema cannot be matched: ${(error as Error).message}`;
  }
}

function leads(reference: string, root: Json): boolean {
  if (reference === "#") return true;
  if (!reference.startsWith("#/")) return false;
  let at: Json | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null) return false;
    at = Object.hasOwn(at, name) ? (at as { [name: string]: Json })[name] : undefined;
  }
  return at !== undefined;
}
