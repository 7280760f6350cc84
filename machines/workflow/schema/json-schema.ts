/** The schema that gives editors completion and hover texts. */
import { z } from "zod";
import { opt, text } from "./fields.ts";
import { input, inputFields } from "./input.ts";
import { type InstalledNames, withInstalled } from "./installed-schema.ts";
import { STEPS } from "./steps.ts";
import { initialState, workflowFields } from "./workflow.ts";

type Schema = { [keyword: string]: unknown };

/** JSON Schema (2020-12) of a workflow file, with the names of what is installed. */
export function workflowJsonSchema(installed: InstalledNames): object {
  const state = z.union(Object.values(STEPS));
  const namedInput = z
    .strictObject({ name: opt(text()).describe("Its name, which stands before it already."), ...inputFields })
    .nullable();
  const workflow = z
    .strictObject({
      ...workflowFields,
      inputs: opt(z.union([z.array(input), z.record(z.string(), namedInput)])).describe("What a run is given."),
      states: z.object({ initial: initialState }).catchall(state).describe("The states by name, and initial."),
    })
    .describe("A workflow of Troupe.");
  const schema = z.toJSONSchema(workflow, { io: "input" });
  const states = schema.properties?.["states"] as { additionalProperties: { anyOf: Schema[] } };
  states.additionalProperties.anyOf = withInstalled(states.additionalProperties.anyOf, installed);
  return { title: "Troupe workflow", ...schema };
}
