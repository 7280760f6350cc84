/** What values are to a template. */
import { expect, test } from "vitest";
import type { Json } from "../../../../machines/model.ts";
import {
  isObject,
  isTrue,
  kindOf,
  memberOf,
  TemplateError,
  textOf,
} from "../../../../machines/workflow/template/value.ts";

test.each<[Json, string, boolean, string]>([
  [null, "nil", false, "<no value>"],
  ["", "string", false, ""],
  ["a", "string", true, "a"],
  [0, "number", false, "0"],
  [1.5, "number", true, "1.5"],
  [false, "boolean", false, "false"],
  [true, "boolean", true, "true"],
  [[], "list", false, "[]"],
  [[null], "list", true, "[null]"],
  [{}, "object", false, "{}"],
  [{ a: "b" }, "object", true, '{"a":"b"}'],
])("%j is a %s, is %s, and prints as %s (I2)", (value, kind, truth, text) => {
  expect([kindOf(value), isTrue(value), textOf(value), isObject(value)]).toEqual([
    kind,
    truth,
    text,
    kind === "object",
  ]);
});

const RANGE = { start: 3, end: 9 };
const why = (value: Json, path: string[], prefix: string, hint?: string): unknown => {
  try {
    return memberOf(value, path, "it", prefix, RANGE, hint);
  } catch (error) {
    const { name, code, message, range } = error as TemplateError;
    return error instanceof TemplateError ? { name, code, message, range } : error;
  }
};
const fault = (message: string) => ({
  name: "TemplateError",
  code: "WORKFLOW.TEMPLATE.RENDERING",
  message,
  range: RANGE,
});

test("a member is read through objects, own names alone (I1)", () => {
  const value = { a: { b: 1, c: null }, constructor: 2 };
  expect([
    why(value, [], ""),
    why(value, ["a", "b"], "."),
    why(value, ["a", "c"], ""),
    why(value, ["constructor"], ""),
  ]).toEqual([value, 1, null, 2]);
});

test.each<[string, Json, string[], string, string]>([
  ["of the root", { a: 1 }, ["zzz"], "", 'it: "zzz" does not exist in the template; there is: a'],
  ["of dot", { a: { b: 1 } }, ["a", "x"], ".", 'it: "x" does not exist in .a; there is: b'],
  [
    "of a variable",
    { a: { bc: 1 } },
    ["a", "bd"],
    "$v",
    'it: "bd" does not exist in $v.a; there is: bc; did you mean "bc"?',
  ],
  ["of nothing", { a: {} }, ["a", "b"], "", 'it: "b" does not exist in .a; nothing is there'],
  ["of the environment", { env: { HOME: "/" } }, ["env", "B"], "", "it: the variable B of the environment is not set"],
  [
    "of the environment, nearly",
    { env: { HOME: "/" } },
    ["env", "HOMES"],
    ".",
    'it: the variable HOMES of the environment is not set; did you mean "HOME"?',
  ],
  ["of a text", { a: "x" }, ["a", "b"], "", 'it: .a is a string and has no "b"'],
  ["of a list", [1], ["b"], "$v", 'it: $v is a list and has no "b"'],
  ["of nil at the root", null, ["b"], "", 'it: the template is a nil and has no "b"'],
])("a name that is not there %s says what is", (_, value, path, prefix, message) => {
  expect(why(value, path, prefix)).toEqual(fault(message));
  expect(why(value, path, prefix, "; a hint")).toEqual(fault(`${message}; a hint`));
});

test("of many names twenty are listed", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `k${index + 10}`);
  const of = (count: number): Json => Object.fromEntries(names(count).map((name) => [name, 1]));
  const listed = names(20).join(", ");
  expect(why(of(20), ["far away"], "")).toEqual(
    fault(`it: "far away" does not exist in the template; there is: ${listed}`),
  );
  expect(why(of(23), ["far away"], "")).toEqual(
    fault(`it: "far away" does not exist in the template; there is: ${listed}, and 3 more`),
  );
});
