/** `type: parallel`. */
import { z } from "zod";
import { commonFields } from "./common.ts";
import { choice, count, names, opt } from "./fields.ts";

export const parallelStep = z
  .strictObject({
    type: opt(choice(["parallel"])).describe("Several states at the same time."),
    ...commonFields,
    parallel: names().describe("The states to run; where they would go to is ignored."),
    strategy: opt(choice(["all_succeed", "any_succeed", "best_effort", ""])).describe(
      "all_succeed (default): the first failure cancels the rest. any_succeed: one is enough. best_effort: all run, none fails it.",
    ),
    max_concurrent: opt(count(0)).describe("At most so many at a time; 0 for all."),
  })
  .describe("Runs states in parallel.");
