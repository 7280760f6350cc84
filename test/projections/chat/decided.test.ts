import { describe, expect, test } from "vitest";
import type { ChatEdit } from "../../../machines/conversation/event.ts";
import { answerLine, editedLine, optionLines, questionLines } from "../../../projections/chat/decided.ts";
import { QUESTION } from "./support.ts";

const PLAIN = { colours: false };

describe("a question", () => {
  test("is shown whole, with nothing invisible in it", () => {
    expect(questionLines({ ...QUESTION, title: "a\nb\u202e", message: "c\u200b\nd" }, PLAIN)).toEqual([
      ...["? a\\nb\\u202e", "  c\\u200b", "  d", "  command: rm", "  /a:3", "  /b"],
    ]);
  });

  test("has no line for what it has not", () => {
    const { input: _, ...bare } = QUESTION;
    expect(questionLines({ ...bare, message: "", locations: [] }, PLAIN).length).toBe(1);
  });

  test("shows its edits, whose files are not named again", () => {
    const diffs = [{ path: "/a", oldText: "1\n", newText: "2\n" }];
    const lines = questionLines({ ...QUESTION, diffs }, PLAIN);
    expect(lines.filter((line) => line.includes("/a"))).toEqual(["  ± /a"]);
    expect(lines.slice(-3)).toEqual(["  ± /a", "  - 1", "  + 2"]);
  });
});

test("options are numbered, with what each does by its kind, whatever its name says", () => {
  const lines = optionLines(QUESTION, 1, PLAIN);
  expect(lines.map((line) => line.slice(0, 4))).toEqual(["  1)", "❯ 2)", "  3)", "  4)"]);
  expect(lines[0]).toContain("Allow\\u202e");
  expect(lines.map((line) => [/allow,/.test(line), /this time/.test(line)])).toEqual([
    ...[
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ],
  ]);
});

test.each([
  ["yes", "  ● Allow\\u202e", "\u001b[32m"],
  ["never", "  ● Never", "\u001b[31m"],
])("the answer %s stays, green where it allows", (option, line, colour) => {
  expect(answerLine({ type: "answered", question: QUESTION, option }, PLAIN)).toBe(line);
  expect(answerLine({ type: "answered", question: QUESTION, option }, { colours: true })).toContain(colour);
});

test.each([null, "gone"])("a question without an answer (%s) allows nothing", (option) => {
  expect(answerLine({ type: "answered", question: QUESTION, option }, PLAIN)).toContain("○");
});

describe("an edit", () => {
  const edit = (fate: ChatEdit["fate"], oldText: string | null = "1\n2\n"): string =>
    editedLine({ path: "/a\u202e", oldText, newText: "1\n3\n4\n", fate }, PLAIN);

  test("that is open says how much it changes, and whether the file is new", () => {
    expect(edit("open")).toMatch(/^± \/a\\u202e \+2 -1 /);
    expect(edit("open", null)).toMatch(/^± \/a\\u202e \(new\) \+3 -0 /);
  });

  test("has a line of its own for each way in which it ends", () => {
    const lines = (["accepted", "rejected", "changed", "unknown"] as const).map((fate) => edit(fate));
    expect(lines.map((line) => line.slice(0, 10))).toEqual(
      ["✓", "↶", "!", "±"].map((mark) => `${mark} /a\\u202e`.slice(0, 10)),
    );
    expect(new Set(lines).size).toBe(4);
  });
});
