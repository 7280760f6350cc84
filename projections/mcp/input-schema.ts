/**
 * The inputs of a workflow as the JSON Schema of a tool.
 *
 * I1. A secret is no argument: what a model writes is kept by its host. Its value comes from the server's environment.
 * I2. The schema says what a value must be; whether it is, the run decides.
 * I3. A pattern is passed on where JSON Schema reads it as we do: what only our syntax knows stands in the description.
 */
import type { Json } from "../../machines/model.ts";
import { isSecretName, secretVariable } from "../../machines/secret-name.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { Input } from "../../machines/workflow/document.ts";

export type ObjectSchema = {
  type: "object";
  properties: { [name: string]: { [key: string]: Json } };
  required: string[];
};

/** Those whose values the server's environment gives (I1). */
export const secretInputs = (inputs: readonly Input[]): Input[] => inputs.filter(({ name }) => isSecretName(name));

export { secretVariable };

/** Names that are not declared are refused, so that a model learns of a wrong one. */
export function inputSchema(inputs: readonly Input[]): ObjectSchema & { additionalProperties: false } {
  const open = inputs.filter(({ name }) => !isSecretName(name));
  return {
    type: "object",
    properties: Object.fromEntries(open.map((input) => [input.name, propertyOf(input)])),
    required: open.filter(isNeeded).map(({ name }) => name),
    additionalProperties: false,
  };
}

const isNeeded = (input: Input): boolean => input.required && (input.default ?? null) === null;

function propertyOf(input: Input): { [key: string]: Json } {
  const about = describe(input);
  const { enum: values } = input.validation;
  const more = { ...(about === "" ? {} : { description: about }), ...defaultOf(input) };
  switch (input.type) {
    case "string":
      return { type: "string", ...textRules(input), ...(values === undefined ? {} : { enum: values }), ...more };
    case "integer": {
      const { min, max } = input.validation;
      return {
        type: "integer",
        ...(min === undefined ? {} : { minimum: min }),
        ...(max === undefined ? {} : { maximum: max }),
        ...(values === undefined ? {} : { enum: values.map(Number).filter(Number.isSafeInteger) }),
        ...more,
      };
    }
    case "boolean":
      return { type: "boolean", ...more };
    default:
      return input.type satisfies never;
  }
}

function textRules({ required, validation: { pattern, enum: values } }: Input): { [key: string]: Json } {
  return {
    ...(required && values === undefined ? { minLength: 1 } : {}),
    ...(pattern !== undefined && isPlain(pattern) ? { pattern } : {}),
  };
}

function defaultOf({ default: value }: Input): { default?: Json } {
  return value === undefined || value === null ? {} : { default: value };
}

function describe({ description = "", type, validation }: Input): string {
  const { pattern, fileExists, fileExtension } = validation;
  const isShown = type === "string" && pattern !== undefined && isPlain(pattern);
  const words = [
    visibleLine(description),
    pattern === undefined || isShown ? "" : `Matches ${visibleLine(pattern)}`,
    fileExists === true ? "The path of a file that exists" : "",
    fileExtension === undefined ? "" : `A file with the extension ${visibleLine(fileExtension.join(" or "))}`,
  ];
  return words.filter((word) => word !== "").join(". ");
}

/** Whether a pattern is one of JSON Schema too. It is not matched here. */
function isPlain(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
