import { describe, expect, it } from "vitest";
import { WordMask, Words } from "../../../actors/masking/words.ts";

/** What a stream shows after each piece and at its end, and whether it held something back before the end. */
function shown(values: string[], pieces: string[]): { shown: string[]; holds: boolean } {
  const mask = new WordMask(() => new Words(values));
  const out = pieces.map((piece) => mask.push(piece));
  const { holds } = mask;
  return { shown: [...out, mask.end()], holds };
}

describe("a short secret", () => {
  it.each<[string, string[], string, string]>([
    ["as a word", ["ab"], "is ab.", "is ***."],
    ["not inside of one (I1)", ["ab"], "table ab1 _ab xab ab", "table ab1 _ab xab ***"],
    ["the longer of two that begin alike", ["a-", "a-b"], "a-b a-", "*** ***"],
    ["with signs that a pattern reads", ["a.b", "c|d", "(e"], "axb a.b c c|d (e", "axb *** c *** ***"],
  ])("is hidden %s", (_, values, text, masked) => {
    expect(new Words(values).masked(text)).toBe(masked);
  });

  it("stands where it stands, after what came before", () => {
    const words = new Words(["ab"]);
    expect(words.in("ab, ab")).toEqual([
      { start: 0, end: 2, value: "ab" },
      { start: 4, end: 6, value: "ab" },
    ]);
    expect(words.in("ab, ab", "x")).toEqual([{ start: 4, end: 6, value: "ab" }]);
    expect(words.in("x ab", "ab ")).toEqual([{ start: 2, end: 4, value: "ab" }]);
  });
});

describe("a stream with short secrets", () => {
  it.each<[string, string[], string[], { shown: string[]; holds: boolean }]>([
    ["waits at an end that may be one (I2)", ["abc"], ["is ab", "c."], { shown: ["is ", "***.", ""], holds: false }],
    ["shows at its end what was none", ["abc"], ["is ab"], { shown: ["is ", "ab"], holds: true }],
    ["hides at its end what is one", ["abc"], ["is abc"], { shown: ["is ", "***"], holds: true }],
    ["waits for nothing inside of a word", ["abc"], ["xab", "c"], { shown: ["xab", "c", ""], holds: false }],
    [
      "knows of what is settled that a word continues",
      ["abc"],
      ["x", "abc "],
      { shown: ["x", "abc ", ""], holds: false },
    ],
    ["waits no longer than the longest", ["abc", "z"], ["abcd"], { shown: ["abcd", ""], holds: false }],
    [
      "waits for the other half of a character",
      ["abc"],
      ["é\ud83d", "\ude00"],
      { shown: ["é", "😀", ""], holds: false },
    ],
    [
      "takes a letter of two units for a letter",
      ["abc"],
      ["\u{1d4d0}", "abc "],
      { shown: ["\u{1d4d0}", "abc ", ""], holds: false },
    ],
    [
      "takes a sign of two units for a sign",
      ["abc"],
      ["a\u{1f600}", "abc "],
      { shown: ["a\u{1f600}", "*** ", ""], holds: false },
    ],
  ])("%s", (_, values, pieces, expected) => {
    expect(shown(values, pieces)).toEqual(expected);
  });

  it("with nothing to hide shows each piece at once", () => {
    const mask = new WordMask(() => null);
    expect([mask.push("ab"), mask.holds, mask.end()]).toEqual(["ab", false, ""]);
  });
});
