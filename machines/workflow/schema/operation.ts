/** `type: operation`. */
import { z } from "zod";
import { commonFields } from "./common.ts";
import { choice, opt, record, text } from "./fields.ts";

export const operationStep = z
  .strictObject({
    type: opt(choice(["operation"])).describe("A built-in operation."),
    ...commonFields,
    operation: text().describe("The operation, such as http.request, github.get_issue or notify.send."),
    inputs: opt(record()).describe("What the operation is given; templates."),
    operation_inputs: opt(record()).describe("The same as inputs."),
  })
  .describe("Runs a built-in operation.");
