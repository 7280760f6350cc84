import { expect, test } from "vitest";
import type { Input } from "../../../machines/workflow/document.ts";
import { formOf, valuesOf } from "../../../projections/acp/form.ts";

const input = (name: string, over: Partial<Input> = {}): Input => ({
  name,
  type: "string",
  required: true,
  validation: {},
  ...over,
});
const INPUTS = [
  input("task", { description: "what\n to do\u202e", validation: { pattern: "^(a+)+$" } }),
  input("level", { validation: { enum: ["low", "high"] } }),
  input("count", { type: "integer", validation: { min: 1, max: 9 } }),
  input("fast", { type: "boolean" }),
  input("any", { validation: { pattern: "(?i)^x" } }),
];

test("a form has one flat field for each input", () => {
  expect(formOf("s1", "demo", INPUTS)).toEqual({
    mode: "form",
    sessionId: "s1",
    message: "/demo needs 5 values to run.",
    requestedSchema: {
      type: "object",
      properties: {
        task: { type: "string", title: "task", description: "what to do\\u202e", minLength: 1, pattern: "^(a+)+$" },
        level: { type: "string", title: "level", enum: ["low", "high"] },
        count: { type: "integer", title: "count", minimum: 1, maximum: 9 },
        fast: { type: "boolean", title: "fast" },
        any: { type: "string", title: "any", description: "Matches (?i)^x", minLength: 1 },
      },
      required: ["task", "level", "count", "fast", "any"],
    },
  });
  expect(formOf("s1", "demo", [input("a")]).message).toBe("/demo needs a value to run.");
});

test.each<[unknown, unknown]>([
  [
    { action: "accept", content: { task: "x", count: 3, fast: true } },
    { task: "x", count: 3, fast: true },
  ],
  [{ action: "accept", content: { task: ["x"], level: null, other: "y" } }, {}],
  [{ action: "accept" }, null],
  [{ action: "accept", content: ["x"] }, null],
  [{ action: "decline" }, null],
  [{ action: "cancel" }, null],
  ["accept", null],
  [null, null],
])("of %j the values are %j", (response, values) => {
  expect(valuesOf(response, INPUTS)).toEqual(values);
});
