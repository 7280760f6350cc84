import { describe, expect, it } from "vitest";
import { paint } from "../../../projections/terminal/paint.ts";
import { shorten, widthOf, wrap } from "../../../projections/terminal/width.ts";

describe("width", () => {
  it.each<[string, number | null, string]>([
    ["abc", null, "abc"],
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["👩👩👩", 3, "👩…"],
    ["abcd", 0, "…"],
  ])("shorten(%j, %j) is %j", (text, columns, shown) => {
    expect(shorten(text, columns)).toBe(shown);
  });

  it("shortens without cutting a colour open", () => {
    const { red } = paint(true);
    expect(shorten(`a${red("bcd")}e`, 3)).toBe("a\u001b[31mb…\u001b[39m");
    expect(shorten(`a${red("b")}`, 2)).toBe(`a${red("b")}`);
  });

  it.each<[string, number]>([
    ["abc", 3],
    ["", 0],
    ["漢字", 4],
    ["é e\u0301", 3],
    ["\u001b[31mab\u001b[39m", 2],
    ["\u001b[1m漢\u001b[22m", 2],
  ])("widthOf(%j) is %j, each time", (text, width) => {
    for (let i = 0; i < 2; i++) expect(widthOf(text)).toBe(width);
  });

  it("is known of many texts, and of long ones", () => {
    for (let round = 0; round < 2; round++)
      for (let n = 0; n < 600; n++) expect(widthOf(`漢${n}`)).toBe(2 + String(n).length);
    for (let i = 0; i < 2; i++) expect(widthOf("漢".repeat(300))).toBe(600);
  });

  it.each<[string, number | null, string[]]>([
    ["", 5, [""]],
    ["abc", 3, ["abc"]],
    ["abcd", 3, ["abc", "d"]],
    ["ab", 1, ["a", "b"]],
    ["ab", 0, ["ab"]],
    ["ab", -1, ["ab"]],
    ["漢字", 1, ["漢", "字"]], // nothing is left out, though it does not fit
    ["漢字", 3, ["漢", "字"]],
    [" abcd", 3, [" ab", "cd"]],
    ["ab cd", 2, ["ab", "cd"]],
    ["ab ", 2, ["ab"]],
    ["ab  cd", 3, ["ab ", "cd"]],
    ["a\n\nb", 9, ["a", "", "b"]],
    ["\u001b[31mabc\u001b[39md", 3, ["\u001b[31mabc\u001b[39m", "d"]],
    ["\u001b[31mab cd\u001b[39m", 2, ["\u001b[31mab", "cd\u001b[39m"]],
  ])("wrap(%j, %j) is %j", (text, columns, lines) => {
    expect(wrap(text, columns)).toEqual(lines);
  });

  it("wraps at spaces and leaves nothing out", () => {
    expect(wrap("one two three\nabcdefghij", 7)).toEqual(["one two", "three", "abcdefg", "hij"]);
    expect(wrap("one two", null)).toEqual(["one two"]);
  });
});
