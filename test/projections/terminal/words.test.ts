import { describe, expect, it } from "vitest";
import { age, count, duration } from "../../../projections/terminal/words.ts";

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

  it("counts", () => {
    expect([count(0, "step"), count(1, "step"), count(2, "step")]).toEqual(["0 steps", "1 step", "2 steps"]);
  });
});
