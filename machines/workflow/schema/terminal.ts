/** `type: terminal`. */
import { z } from "zod";
import { choice, opt, text } from "./fields.ts";

export const terminalStep = z
  .strictObject({
    type: opt(choice(["terminal"])).describe("An end of the workflow."),
    description: opt(text()).describe("What this end means."),
    status: opt(choice(["success", "failure", ""])).describe("How the run ends; success by default."),
    message: opt(text()).describe("What the run ends with; a template."),
  })
  .describe("Ends the run.");
