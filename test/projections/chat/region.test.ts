import { expect, test } from "vitest";
import { type RegionView, regionLines } from "../../../projections/chat/region.ts";
import { QUESTION } from "./support.ts";

const typed = (text: string, at = text.length) => ({ text, at });
const view = (more: Partial<RegionView> = {}): RegionView => ({
  ...{ live: [], question: null, waiting: [], completions: [], typed: typed("words"), left: "left", right: "right" },
  ...more,
});
const lines = (more: Partial<RegionView> = {}, place: { width?: number; height?: number } = {}): string[] =>
  regionLines(view(more), { width: 40, height: 20, now: 0, colours: false, ...place });

test("what is on its way stands above, where one is stands below, between both ends of the line", () => {
  expect(lines({ live: ["a", "b"] })).toEqual(["a", "b", "❯ words", `left${" ".repeat(31)}right`]);
});

test("a question stands in place of what is typed", () => {
  const shown = lines({ question: { asked: QUESTION, chosen: 0, waits: false } });
  expect([shown.length, shown.some((line) => line.includes("words"))]).toEqual([5, false]);
});

test("a question that waits for a pause leaves what is typed to be seen", () => {
  const shown = lines({ question: { asked: QUESTION, chosen: 0, waits: true } });
  expect(shown.slice(-3, -1)).toEqual(["  it takes an answer when you pause", "❯ words"]);
});

const LONG = Array.from({ length: 12 }, (_, n) => `l${n}`).join("\n");
test("what is typed has one mark, is wrapped, and is shown by its end", () => {
  expect(lines({ typed: typed("a\nb") }).slice(0, 2)).toEqual(["❯ a", "  b"]);
  const long = lines({ typed: typed(LONG) });
  expect([long.length, long[0], long.at(-2)]).toEqual([9, "❯ l4", "  l11"]);
  expect(lines({ typed: typed("x".repeat(50)) }).length).toBe(3);
});

test("of words that are longer, those around the place where one types are shown", () => {
  const shown = (at: number): string[] => lines({ typed: typed(LONG, at) }).slice(0, -1);
  expect([shown(0)[0], shown(LONG.indexOf("l3"))[0], shown(LONG.indexOf("l6"))[0]]).toEqual(["❯ l0", "❯ l0", "❯ l2"]);
  expect(shown(0).length).toBe(8);
});

test("nothing that is pasted steers the terminal, or is left out", () => {
  expect(lines({ typed: typed("a\u202eb\u009b2Jc 👩‍💻") })[0]).toBe("❯ a\\u202eb\\u009b2Jc 👩‍💻");
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
