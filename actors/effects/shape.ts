/**
 * Whether what a step gave is JSON that fits its `output_schema`, and in whose words that is said.
 *
 * I1. Patterns of a schema are matched in linear time, whatever they say.
 * I2. A schema names nothing outside itself: nothing is fetched for it.
 * I3. The checker is loaded by the first step that has a schema.
 */
import type { Ajv2020, ErrorObject } from "ajv/dist/2020.js";
import { RE2JS } from "re2js";
import type { Json } from "../../machines/model.ts";
import type { OutputSchema } from "../../machines/workflow/document.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { parseJson, unfenced } from "./response.ts";

export type Fit = { ok: true; text: string; value: Json } | { ok: false; reason: string };

/** The most characters of an answer that is looked at. */
const LONGEST_ANSWER = 4 * 1024 * 1024;
const MOST_FAULTS = 10;

const regExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    return { test: (text: string): boolean => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: "re2" },
);

let loaded: Promise<typeof Ajv2020> | null = null;

async function checker(): Promise<Ajv2020> {
  loaded ??= import("ajv/dist/2020.js").then((module) => module.Ajv2020);
  const Checker = await loaded.catch((error: unknown) => {
    loaded = null; // the next step tries again
    throw error;
  });
  return new Checker({ strict: false, allErrors: true, validateFormats: false, logger: false, code: { regExp } });
}

/** A schema says which draft it is of; what is common to them is read as 2020-12. */
const withoutDraft = (schema: Json): object => {
  const { $schema: _, ...rest } = schema as { [keyword: string]: Json };
  return rest;
};

/** What is wrong with a schema itself, with the path of its place. Compiles nothing of it. */
export async function schemaFaults(schema: Json): Promise<{ at: string[]; message: string }[]> {
  const ajv = await checker();
  if (ajv.validateSchema(withoutDraft(schema)) === true) return [];
  return (ajv.errors ?? []).slice(0, 1).map((error) => ({
    at: error.instancePath.split("/").slice(1).map(unescaped),
    message: wordsOf(error).replace(/^\$/, "output_schema"),
  }));
}

/** Judges one answer. Throws a `TroupeError` where the schema is none. */
export async function fitOf(text: string, { schema }: OutputSchema): Promise<Fit> {
  if (schema === null) {
    // In AWF's places a file that is not there is a warning.
    throw new TroupeError("EXECUTION.STEP.INVALID_SHAPE", "the file of output_schema could not be read", {});
  }
  if (text.length > LONGEST_ANSWER) return { ok: false, reason: `it is longer than ${LONGEST_ANSWER} characters` };
  const inner = unfenced(text);
  const parsed = parseJson(inner);
  if (!parsed.ok) return { ok: false, reason: `it is no JSON: ${parsed.message}` };
  const told = misfits(await checker(), schema, parsed.value);
  if (told.length === 0) return { ok: true, text: inner, value: parsed.value };
  const more = told.length > MOST_FAULTS ? [`and ${told.length - MOST_FAULTS} more`] : [];
  return { ok: false, reason: [...told.slice(0, MOST_FAULTS), ...more].join("; ") };
}

/** What does not fit, each fault once. */
function misfits(ajv: Ajv2020, schema: Json, value: Json): string[] {
  const validate = compiled(ajv, schema);
  try {
    return validate(value) ? [] : [...new Set((validate.errors ?? []).map(wordsOf))];
  } catch (error) {
    if (error instanceof RangeError) return ["it is nested too deep"];
    throw error;
  }
}

function compiled(ajv: Ajv2020, schema: Json) {
  try {
    return ajv.compile(withoutDraft(schema));
  } catch (error) {
    const message = `output_schema is no JSON Schema that can be used: ${(error as Error).message}`;
    throw new TroupeError("EXECUTION.STEP.INVALID_SHAPE", message, {});
  }
}

const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");
const pathOf = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map(unescaped)
    .reduce((path, part) => path + (/^\d+$/.test(part) ? `[${part}]` : `.${part}`), "$");

/** One fault: its JSON path, and what was expected there. */
function wordsOf({ instancePath, keyword, params, message = "is wrong" }: ErrorObject): string {
  const path = pathOf(instancePath);
  switch (keyword) {
    case "required":
      return `${path}.${params["missingProperty"]} is missing`;
    case "additionalProperties":
      return `${path}.${params["additionalProperty"]} is not expected`;
    case "enum":
      return `${path} must be one of ${(params["allowedValues"] as Json[]).map((one) => JSON.stringify(one)).join(", ")}`;
    case "const":
      return `${path} must be ${JSON.stringify(params["allowedValue"])}`;
    default:
      return `${path} ${message}`;
  }
}
