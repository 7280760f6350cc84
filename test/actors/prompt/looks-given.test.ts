import { expect, test } from "vitest";
import { looksGiven } from "../../../actors/prompt/looks-given.ts";

test.each([
  ["/x key=abc 'open", ["abc"]],
  ['/x key="one two three', ["one", "one two three"]],
  ["/x key='one two' y=\"", ["one", "one two"]],
  ['/x key="one \\" two" y=\'', ["one", 'one \\" two']],
  ['/x other="see key=inner secret', ["inner"]],
  ["/x key= 'open", []],
  ["/x --key=abc 1key=def a.key=no 'open", ["abc", "def"]],
])("of %s the key is learned as it stands there, to the end of its quote", (text, values) => {
  const given = looksGiven(text).filter(([name]) => name === "key");
  expect(given.map(([, value]) => value)).toEqual(values);
});

test.each([
  ["a word", "a".repeat(1_000_000)],
  ["dashes and digits", "-1.".repeat(300_000)],
  ["an open quote", `key="${"b ".repeat(500_000)}`],
  ["many quotes", "a=\"b=' ".repeat(100_000)],
  ["many pairs", `key='${"c=d ".repeat(200_000)}`],
])("%s of a million signs is read at once", (_, text) => {
  const began = performance.now();
  looksGiven(`/x ${text}`);
  expect(performance.now() - began).toBeLessThan(3_000);
});
