import { expect, test } from "vitest";
import { type AskField, answered, opened } from "../../../machines/ask/form.ts";
import { askMessage, askRefusal, askSchema, askValues } from "../../../projections/shared/ask-form.ts";

const field = (name: string, more: Partial<AskField> = {}): AskField => ({
  name,
  prompt: `${name}?`,
  type: "string",
  required: true,
  validation: {},
  ...more,
});
const FORM = opened(
  [
    field("bump", { choices: [{ value: "major", label: "It breaks" }, { value: "minor" }] }),
    field("copies", { type: "integer", default: 2, validation: { min: 1, max: 9 } }),
    field("sure", { type: "boolean" }),
    field("note", { required: false }),
  ],
  "Hello",
);

test("every question is a field with what stands there, and only those without are required (I1)", () => {
  const form = answered(FORM, "2");
  expect(askSchema(form, "oneOf")).toEqual({
    type: "object",
    properties: {
      bump: {
        type: "string",
        title: "bump?",
        oneOf: [
          { const: "major", title: "It breaks" },
          { const: "minor", title: "minor" },
        ],
        default: "minor",
      },
      copies: { type: "integer", title: "copies?", default: 2, minimum: 1, maximum: 9 },
      sure: { type: "boolean", title: "sure?" },
      note: { type: "string", title: "note?", description: "May be left out." },
    },
    required: ["sure"],
  });
  expect(askSchema(FORM, "enumNames").properties["bump"]).toMatchObject({
    enum: ["major", "minor"],
    enumNames: ["It breaks", "minor"],
  });
});

test("what stands above it says why the last answer was none", () => {
  expect(askMessage(FORM, "Step")).toBe("Hello");
  expect(askMessage(opened([], null), "Step")).toBe("Step");
  expect(askMessage(answered(FORM, "huge"), "Step")).toBe("Hello\n\nbump? Expected one of major, minor");
});

test.each([
  [
    "accepted",
    { action: "accept", content: { bump: "minor", sure: true, other: 1, note: null } },
    { bump: "minor", sure: true },
  ],
  ["declined", { action: "decline" }, null],
  ["without values", { action: "accept" }, null],
  ["nonsense", 7, null],
])("what comes back %s (I2)", (_, response, values) => {
  expect(askValues(FORM, response)).toEqual(values);
});

test("what the step would say to an answer that it does not take, and of which question", () => {
  expect(askRefusal(FORM, "huge")).toEqual({ name: "bump", fault: "expected one of major, minor" });
  expect(askRefusal(FORM, '{"bump": "minor", "copies": 12}')).toMatchObject({ name: "copies" });
  expect(askRefusal(FORM, '{"bump": "minor"}')).toEqual({ name: "sure", fault: "expected an answer" });
  expect(askRefusal(FORM, '{"bump": "minor", "sure": true}')).toBeNull();
  expect(askRefusal({ ...FORM, fault: "expected one of major, minor" }, "minor")).toBeNull();
});

test("a choice that is shown masked may be any answer; the other questions are looked at (I3)", () => {
  const key = field("key", { choices: [{ value: "***" }, { value: "none" }] });
  const form = opened([key, field("copies", { type: "integer" })], null);
  expect(askRefusal(form, "its value")).toBeNull();
  expect(askRefusal(form, '{"key": "its value", "copies": 1}')).toBeNull();
  expect(askRefusal(form, '{"key": "its value", "copies": "x"}')).toMatchObject({ name: "copies" });
  expect(askRefusal(form, '{"copies": 1}')).toEqual({ name: "key", fault: "expected an answer" });
});
