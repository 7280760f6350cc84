import type { Input } from "../../../machines/workflow/document.ts";

/** An optional text input, with the fields that a test changes. */
export const input = (name: string, rest: Partial<Input> = {}): Input => ({
  name,
  type: "string",
  required: false,
  validation: {},
  ...rest,
});
