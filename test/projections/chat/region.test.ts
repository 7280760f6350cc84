import { expect, test } from "vitest";
import { type RegionView, regionLines } from "../../../projections/chat/region.ts";
import { QUESTION } from "./support.ts";

const view = (more: Partial<RegionView> = {}): RegionView => ({
  ...{ live: [], question: null, waiting: [], completions: [], typed: "words", left: "left", right: "right" },
  ...more,
});
const lines = (more: Partial<RegionView> = {}, place: { width?: number; height?: number } = {}): string[] =>
  regionLines(view(more), { width: 40, height: 20, now: 0, colours: false, ...place });

test("what is on its way stands above, where one is stands below, between both ends of the line", () => {
  expect(lines({ live: ["a", "b"] })).toEqual(["a", "b", "❯ words", `left${" ".repeat(31)}right`]);
});

test("a question stands in place of what is typed", () => {
  const shown = lines({ question: { asked: QUESTION, chosen: 0 } });
  expect([shown.length, shown.some((line) => line.includes("words"))]).toEqual([5, false]);
});

test("what is typed has one mark, is wrapped, and is shown by its end", () => {
  expect(lines({ typed: "a\nb" }).slice(0, 2)).toEqual(["❯ a", "  b"]);
  const long = lines({ typed: Array.from({ length: 12 }, (_, n) => `l${n}`).join("\n") });
  expect([long.length, long[0], long.at(-2)]).toEqual([9, "❯ l4", "  l11"]);
  expect(lines({ typed: "x".repeat(50) }).length).toBe(3);
});

test("prompts that wait are numbered, and completions listed up to a number", () => {
  const completions = Array.from({ length: 8 }, (_, n) => ({ word: `w${n}`, about: "a\u001b[2Jb" }));
  const shown = lines({ waiting: [{ text: "one\ntwo" }, { text: "three" }], completions });
  expect(shown.slice(0, 2)).toEqual(["  ⋯ 1 one two", "  ⋯ 2 three"]);
  expect(shown.slice(3, 4)).toEqual(["  w0  ab"]);
  expect(shown.slice(9, 10)).toEqual(["  … 2 more"]);
  expect(lines({ completions: completions.slice(0, 6) }).some((line) => line.includes("more"))).toBe(false);
});

test("where there is no room, what is on its way is cut first, and no line is wider than the place", () => {
  const live = ["a", "b", "c"];
  expect(lines({ live }, { height: 3 })).toEqual(["a", "❯ words", expect.stringContaining("left")]);
  expect(lines({ live }, { height: 1 }).length).toBe(2);
  for (const line of lines({ live: ["x".repeat(90)], left: "y".repeat(90) }, { width: 20 }))
    expect(line.length).toBeLessThanOrEqual(20);
});
