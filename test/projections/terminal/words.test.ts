import { describe, expect, it } from "vitest";
import { paint } from "../../../projections/terminal/paint.ts";
import { age, count, duration, shorten, wrap } from "../../../projections/terminal/words.ts";

describe("words", () => {
  it.each([
    [0, "0ms"],
    [-5, "0ms"],
    [999, "999ms"],
    [1000, "1.0s"],
    [59_999, "59.9s"],
    [60_000, "1m 0s"],
    [3_599_000, "59m 59s"],
    [3_600_000, "1h 0m"],
    [90_000_000, "25h 0m"],
  ])("duration of %d ms is %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it.each([
    [0, "just now"],
    [-1000, "just now"],
    [60_000, "1m ago"],
    [3_600_000, "1h ago"],
    [86_400_000 * 3, "3d ago"],
  ])("%d ms is %s", (ms, text) => {
    expect(age(1_000_000_000, 1_000_000_000 + ms)).toBe(text);
  });

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

  it("counts", () => {
    expect([count(0, "step"), count(1, "step"), count(2, "step")]).toEqual(["0 steps", "1 step", "2 steps"]);
  });
});
