import type { Input } from "../../../machines/workflow/document.ts";

/** An optional text input, with what a test says otherwise. */
export const input = (name: string, rest: Partial<Input> = {}): Input => ({
  name,
  type: "string",
  required: false,
  validation: {},
  ...rest,
});
