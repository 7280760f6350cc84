/** `type: for_each` and `while`. */
import { z } from "zod";
import { commonFields } from "./common.ts";
import { choice, count, names, opt, stateName, text } from "./fields.ts";

const loopFields = {
  body: names().describe("The states of one round, in order."),
  max_iterations: opt(
    z.union([count(0), z.string()], { error: "a whole number, or a template or arithmetic that gives one" }),
  ).describe("The most rounds, 100 by default and 10000 at most; a number, a template or arithmetic."),
  break_when: opt(text()).describe("A condition, judged after each round, that ends the loop."),
  on_complete: opt(stateName()).describe("The next state when the loop has ended."),
};

export const forEachStep = z
  .strictObject({
    type: opt(choice(["for_each"])).describe("A loop over items."),
    ...commonFields,
    items: z
      .union([z.string(), z.array(z.unknown())], { error: "a list, or a template that gives one" })
      .describe("A list, or a template that gives a JSON list or words with commas between them."),
    ...loopFields,
  })
  .describe("Runs its body once for every item.");

export const whileStep = z
  .strictObject({
    type: opt(choice(["while"])).describe("A loop with a condition."),
    ...commonFields,
    while: text().describe("The condition, judged before each round."),
    ...loopFields,
  })
  .describe("Runs its body as long as a condition holds.");
