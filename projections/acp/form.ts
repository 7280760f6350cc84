/**
 * The inputs that a command left open as a form: one flat field each, named as the input.
 *
 * I1. A field says what a value must be; whether it is, the run decides.
 * I2. A pattern is passed on where an editor reads it as we do: what only our syntax knows stands in the description.
 */
import type { CreateElicitationRequest, ElicitationPropertySchema } from "@agentclientprotocol/sdk";
import type { Json } from "../../machines/model.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { Input } from "../../machines/workflow/document.ts";

type Form = Extract<CreateElicitationRequest, { mode: "form" }>;

/** The request of a form for these inputs of a workflow. */
export const formOf = (sessionId: string, workflow: string, inputs: readonly Input[]): Form => ({
  mode: "form",
  sessionId,
  message: `/${visibleLine(workflow)} needs ${inputs.length === 1 ? "a value" : `${inputs.length} values`} to run.`,
  requestedSchema: {
    type: "object",
    properties: Object.fromEntries(inputs.map((input) => [input.name, fieldOf(input)])),
    required: inputs.map(({ name }) => name),
  },
});

/** The values of an accepted form, those that were asked for only; null when it was declined or is no answer. */
export function valuesOf(response: unknown, inputs: readonly Input[]): { [name: string]: Json } | null {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: unknown };
  if (action !== "accept" || typeof content !== "object" || content === null || Array.isArray(content)) return null;
  const given = Object.entries(content).filter(
    (entry): entry is [string, string | number | boolean] =>
      inputs.some(({ name }) => name === entry[0]) && ["string", "number", "boolean"].includes(typeof entry[1]),
  );
  return Object.fromEntries(given);
}

/** Whether a pattern is one of JSON Schema too. It is not matched here. */
function isEditors(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

function fieldOf({ name, type, description, validation }: Input): ElicitationPropertySchema {
  const { min, max, pattern } = validation;
  const isPlain = pattern !== undefined && isEditors(pattern);
  const words = [description ?? "", pattern === undefined || isPlain ? "" : `Matches ${pattern}`].filter(Boolean);
  const about = {
    title: visibleLine(name),
    ...(words.length === 0 ? {} : { description: visibleLine(words.join(". ")) }),
  };
  if (validation.enum !== undefined) return { type: "string", ...about, enum: validation.enum };
  switch (type) {
    case "string":
      return { type: "string", ...about, minLength: 1, ...(isPlain ? { pattern } : {}) };
    case "integer":
      return {
        type: "integer",
        ...about,
        ...(min === undefined ? {} : { minimum: min }),
        ...(max === undefined ? {} : { maximum: max }),
      };
    case "boolean":
      return { type: "boolean", ...about };
    default:
      return type satisfies never;
  }
}
