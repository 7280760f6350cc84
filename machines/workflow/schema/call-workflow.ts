/** `type: call_workflow`. */
import { z } from "zod";
import { commonFields } from "./common.ts";
import { choice, duration, opt, record, text } from "./fields.ts";

const outputs = z.record(z.string(), text(), { error: "a map of the workflow's outputs to names here" });
const call = z.strictObject(
  {
    workflow: opt(text()).describe("The workflow to call."),
    inputs: opt(record()).describe("Its inputs; templates."),
    outputs: opt(outputs).describe("Its outputs and their names here."),
    timeout: opt(duration()).describe("The longest the call may take."),
  },
  { error: "a map with workflow, inputs and outputs" },
);

export const callStep = z
  .strictObject({
    type: opt(choice(["call_workflow"])).describe("Another workflow."),
    ...commonFields,
    workflow: opt(text()).describe("The workflow to call: a name, or pack/name; a template."),
    inputs: opt(record()).describe("Its inputs; templates."),
    outputs: opt(outputs).describe("Its outputs and the names they get here."),
    call_workflow: opt(call).describe("The same fields, nested."),
  })
  .describe("Calls another workflow.");
