/** Covers `input-schema.ts`: inputs as the arguments of a tool. */
import { expect, test } from "vitest";
import type { Input } from "../../../machines/workflow/document.ts";
import { inputSchema, secretInputs } from "../../../projections/mcp/input-schema.ts";

const input = (more: Partial<Input>): Input => ({
  name: "a",
  type: "string",
  required: false,
  validation: {},
  ...more,
});
const property = (more: Partial<Input>) => inputSchema([input(more)]).properties["a"];

test("what must be given, what may, and nothing else; secrets are no arguments (I1)", () => {
  const inputs = [
    input({ name: "needed", required: true }),
    input({ name: "kept", required: true, default: "x" }),
    input({ name: "null", required: true, default: null }),
    input({ name: "may" }),
    input({ name: "api_token", required: true }),
  ];
  expect(inputSchema(inputs)).toEqual({
    type: "object",
    properties: {
      needed: { type: "string", minLength: 1 },
      kept: { type: "string", minLength: 1, default: "x" },
      null: { type: "string", minLength: 1 },
      may: { type: "string" },
    },
    required: ["needed", "null"],
    additionalProperties: false,
  });
  expect(secretInputs(inputs).map(({ name }) => name)).toEqual(["api_token"]);
});

test("texts: what they are, what they match and what they are chosen from (I2)", () => {
  expect(property({ description: "Who\nis greeted", validation: { pattern: "^[a-z]+$" }, default: "ada" })).toEqual({
    ...{ type: "string", pattern: "^[a-z]+$", description: "Who is greeted", default: "ada" },
  });
  expect(property({ required: true, validation: { enum: ["x", "y"] } })).toEqual({ type: "string", enum: ["x", "y"] });
});

test("a pattern that only our syntax knows stands in the description (I3)", () => {
  const pattern = "(?i)abc";
  expect(property({ description: "Who", validation: { pattern } })).toEqual({
    type: "string",
    description: "Who. Matches (?i)abc",
  });
  expect(property({ type: "integer", validation: { pattern: "^1" } })).toEqual({
    type: "integer",
    description: "Matches ^1",
  });
});

test("numbers: their bounds, and the whole ones among their choices", () => {
  expect(
    property({ type: "integer", validation: { min: 0, max: 9, enum: ["1", "two", "3.5", "4"] }, default: 1 }),
  ).toEqual({
    ...{ type: "integer", minimum: 0, maximum: 9, enum: [1, 4], default: 1 },
  });
  expect(property({ type: "integer" })).toEqual({ type: "integer" });
});

test("yes or no, and files", () => {
  expect(property({ type: "boolean", default: false, description: "Sure" })).toEqual({
    ...{ type: "boolean", default: false, description: "Sure" },
  });
  expect(property({ validation: { fileExists: true, fileExtension: [".md", ".txt"] } })).toEqual({
    type: "string",
    description: "The path of a file that exists. A file with the extension .md or .txt",
  });
  expect(property({ validation: { fileExists: false } })).toEqual({ type: "string" });
});
