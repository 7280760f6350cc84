import { describe, expect, test } from "vitest";
import { suggest } from "../../../machines/workflow/suggest.ts";

const NAMES = ["contains", "startsWith", "has_prefix", "lower", "len", "ExitCode"];

describe("suggest", () => {
  test.each([
    ["contain", "contains"],
    ["contians", "contains"],
    ["CONTAINS", "contains"],
    ["starts_with", "startsWith"],
    ["hasPrefix", "has_prefix"],
    ["exit_code", "ExitCode"],
    ["lowr", "lower"],
    ["lne", "len"],
  ])("%s is near %s", (word, nearest) => {
    expect(suggest(word, NAMES)).toEqual(nearest);
  });

  test.each(["", "x", "zzz", "length_of_text", "contains".repeat(20)])("nothing is near %j", (word) => {
    expect(suggest(word, NAMES)).toEqual(null);
  });

  test("I2: a suggestion shares letters with the word", () => {
    expect(suggest("a", ["b", "ab", "c"])).toEqual(null);
  });

  test("the earlier of two equally near candidates wins, and the word itself is never suggested", () => {
    expect(suggest("cat", ["cat", "bat", "hat"])).toEqual("bat");
  });
});
