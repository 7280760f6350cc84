/**
 * The inputs that a command left open as a form: one flat field each, named as the input.
 *
 * I1. A field says what a value must be; whether it is, the run decides. Patterns are not passed on: the author's own
 *     could keep an editor busy for ever.
 */
import type { CreateElicitationRequest, ElicitationPropertySchema } from "@agentclientprotocol/sdk";
import type { Json } from "../../machines/model.ts";
import type { Input } from "../../machines/workflow/document.ts";
import { oneLine } from "./lines.ts";

type Form = Extract<CreateElicitationRequest, { mode: "form" }>;

/** The request of a form for these inputs of a workflow. */
export const formOf = (sessionId: string, workflow: string, inputs: readonly Input[]): Form => ({
  mode: "form",
  sessionId,
  message: `/${oneLine(workflow)} needs ${inputs.length === 1 ? "a value" : `${inputs.length} values`} to run.`,
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

function fieldOf({ name, type, description, validation }: Input): ElicitationPropertySchema {
  const about = { title: oneLine(name), ...(description === undefined ? {} : { description: oneLine(description) }) };
  const { min, max } = validation;
  if (validation.enum !== undefined) return { type: "string", ...about, enum: validation.enum };
  switch (type) {
    case "string":
      return { type: "string", ...about, minLength: 1 };
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
