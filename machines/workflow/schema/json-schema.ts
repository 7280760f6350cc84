/** The schema that gives editors completion and hover texts. */
import { z } from "zod";
import { opt, text } from "./fields.ts";
import { input, inputFields } from "./input.ts";
import { STEPS } from "./steps.ts";
import { initialState, workflowFields } from "./workflow.ts";

/** JSON Schema (2020-12) of a workflow file. */
export function workflowJsonSchema(): object {
  const state = z.union(Object.values(STEPS));
  const namedInput = z.strictObject({ name: opt(text()), ...inputFields }).nullable();
  const workflow = z
    .strictObject({
      ...workflowFields,
      inputs: opt(z.union([z.array(input), z.record(z.string(), namedInput)])).describe("What a run is given."),
      states: z.object({ initial: initialState }).catchall(state).describe("The states by name, and initial."),
    })
    .describe("A workflow of Troupe.");
  return { title: "Troupe workflow", ...z.toJSONSchema(workflow, { io: "input" }) };
}
