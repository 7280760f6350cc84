/** One entry of `inputs`. */
import { z } from "zod";
import { choice, flag, opt, text, texts } from "./fields.ts";

const whole = () => z.int({ error: "a whole number" });

export const inputValidation = z.strictObject(
  {
    pattern: opt(z.string({ error: "a regular expression" })).describe(
      "A regular expression (RE2) the value must match.",
    ),
    enum: opt(texts()).describe("The values that are allowed."),
    min: opt(whole()).describe("The smallest number."),
    max: opt(whole()).describe("The largest number."),
    file_exists: opt(flag()).describe(
      'The value must be the path, from the folder of the run, of a file that exists; never ""; false by default.',
    ),
    file_extension: opt(z.union([texts(), z.string()], { error: "a list of extensions" })).describe(
      "The extensions that are allowed, such as .go.",
    ),
  },
  { error: "a map with pattern, enum, min, max, file_exists and file_extension" },
);

export const INPUT_TYPES = ["string", "integer", "boolean"] as const;
export const inputFields = {
  type: opt(choice([...INPUT_TYPES, ""])).describe(
    `string by default; an integer is at most ${Number.MAX_SAFE_INTEGER} in size.`,
  ),
  description: opt(text()).describe("What the input is for."),
  required: opt(flag()).describe("Whether a run needs it; false by default."),
  default: opt(z.unknown()).describe("The value when none is given."),
  validation: opt(inputValidation).describe("What a value must be like."),
};
export const input = z.strictObject(
  { name: text().describe("The name, as in {{.inputs.name}}."), ...inputFields },
  { error: "a map with name, type and the like" },
);
