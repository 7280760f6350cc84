/** A step that asks a person, and the fields of its questions. */
import { z } from "zod";
import { commonFields } from "./common.ts";
import { flag, opt, text } from "./fields.ts";
import { inputFields, inputValidation } from "./input.ts";

const choice = z.union(
  [
    text(),
    z.strictObject({
      value: text().describe("What the answer is then; a template."),
      label: opt(text()).describe("What is shown for it; a template."),
    }),
  ],
  { error: "text, or a map with value and label" },
);
const validation = inputValidation.pick({ pattern: true, min: true, max: true });

export const question = z.strictObject(
  {
    name: text().describe("The name of its answer, as in {{.states.<step>.JSON.<name>}}."),
    prompt: text().describe("What is asked; a template."),
    type: inputFields.type,
    choices: opt(z.union([z.string(), z.array(choice)], { error: "a list, or a template that gives one" })).describe(
      "The answers to choose from: a list, or a template that gives a JSON list or words with commas between them.",
    ),
    default: inputFields.default.describe("The answer of who says nothing; a template."),
    required: opt(flag()).describe("false: it may be left out, and is null then; true by default."),
    validation: opt(validation).describe("What an answer must be like."),
  },
  { error: "a map with name, prompt and the like" },
);

export const askStep = z
  .strictObject({
    type: opt(z.enum(["ask"], { error: "ask" })).describe("Questions to a person."),
    ...commonFields,
    message: opt(text()).describe("What is said before the first question; a template."),
    questions: z
      .array(question, { error: "a list of questions, each with name and prompt" })
      .describe("What is asked, in this order."),
  })
  .describe("Asks a person one or more questions; the run waits for the answers.");
