/** What a round is called after its item. */
import { expect, test } from "vitest";
import { labelOf } from "../../../machines/loop/label.ts";

test.each([
  ["a.ts", "a.ts"],
  [7, "7"],
  [0, "0"],
  [false, "false"],
  [["a", 1, null], "a, 1, null"],
  [{ os: "linux", node: 24 }, "linux, 24"],
  [{ os: "linux", more: { x: 1 } }, '{"os":"linux","more":{"x":1}}'],
  [[["a"], "b"], '[["a"],"b"]'],
  ["x".repeat(200), "x".repeat(200)],
])("%j is called %s", (item, label) => {
  expect(labelOf(item)).toBe(label);
});

test.each([null, "", [], {}, "a\nb", "a\rb", "x".repeat(201), ["a", "b\n"]])("%j has no name (I1)", (item) => {
  expect(labelOf(item)).toBeNull();
});
