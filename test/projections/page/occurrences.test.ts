/** Covers `occurrences.ts`: where words stand in a text. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { occurrences } from "../../../projections/page/occurrences.ts";

const wordsOf = (text: string, wanted: string, most = 9): string[] =>
  occurrences(text, wanted, most).map(({ from, to }) => text.slice(from, to));

test.each([
  ["Error: an ERROR", "error", ["Error", "ERROR"]],
  ["aaaa", "aa", ["aa", "aa"]],
  ["a.b axb", "a.b", ["a.b"]],
  ["(x|y) [z]", "|y) [", ["|y) ["]],
  ["İstanbul, STRASSE", "strasse", ["STRASSE"]],
  ["nothing", "", []],
])("in %j stands %j", (text, wanted, found) => {
  expect(wordsOf(text, wanted)).toEqual(found);
});

test("no more than are asked for", () => {
  expect(wordsOf("x".repeat(50), "x", 3)).toEqual(["x", "x", "x"]);
});

test("what stands in a text is found in it, whatever it is", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, wanted, behind) => {
      expect(wordsOf(before + wanted + behind, wanted).length).toBeGreaterThan(0);
    }),
  );
});
