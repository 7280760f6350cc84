import { describe, expect, it } from "vitest";
import { paint } from "../../../projections/terminal/paint.ts";
import { shorten, wrap } from "../../../projections/terminal/width.ts";

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

  it("wraps at spaces and leaves nothing out", () => {
    expect(wrap("one two three\nabcdefghij", 7)).toEqual(["one two", "three", "abcdefg", "hij"]);
    expect(wrap("one two", null)).toEqual(["one two"]);
  });
});
