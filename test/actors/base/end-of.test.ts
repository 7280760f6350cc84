import { expect, test } from "vitest";
import { endOf, fromWhole } from "../../../actors/base/end-of.ts";

test.each([
  ["one two", 7, "one two"],
  ["one two", 6, "two"],
  ["one two", 4, "two"],
  ["one\ntwo three\n", 12, "two three\n"],
  ["one two three\nx\n", 12, "three\nx\n"],
  ["onetwothree\n", 8, "othree\n".padStart(8, "w")],
])("of %j the last %i units begin with a whole line or word (I1)", (text, most, end) => {
  expect(endOf(text, most)).toBe(end);
});

test("what is one word stays as it is", () => {
  expect(fromWhole("threefour")).toBe("threefour");
  expect(fromWhole("")).toBe("");
});
