import { expect, test } from "vitest";
import type { Frame, Row } from "../../../machines/exchange.ts";
import { MOST_WORDS, type Said, StepWords } from "../../../projections/mcp/words.ts";
import { Log, output, said, stepCompleted, stepStarted } from "../terminal/rows.ts";

function wordsOf(rows: readonly Row[], step?: string): Said | null {
  const log = new Log();
  const words = new StepWords(step);
  words.take(rows.map((row) => log.row(row)));
  return words.said;
}

test("blocks stand on lines of their own, pieces of one block do not", () => {
  expect(
    wordsOf([said("a", 0, "one "), said("a", 4, "two"), said("a", 0, "three\n", 2), said("a", 0, "four", 3)]),
  ).toEqual({
    step: "a",
    text: "one two\nthree\nfour",
  });
});

test("a command's output is what it said; thoughts, and what a tool printed, are not", () => {
  const thought: Row = {
    type: "message.thought",
    run: "r1",
    step: "a",
    payload: { block: "t", offset: 0, text: "hm" },
  };
  const printed = output("a", 0, "of a tool");
  const ofTool = { ...printed, payload: { ...printed.payload, call: "c" } } as Row;
  expect(wordsOf([thought, ofTool])).toBeNull();
  expect(wordsOf([thought, output("a", 0, "printed"), ofTool])).toEqual({ step: "a", text: "printed" });
});

test("the last step that has ended and had said something comes before those that run", () => {
  const rows = [said("a", 0, "A"), said("b", 0, "B"), stepCompleted("a"), stepCompleted("c")];
  expect(wordsOf(rows)).toEqual({ step: "a", text: "A" });
  expect(wordsOf(rows.slice(0, 2))).toEqual({ step: "b", text: "B" });
  expect(wordsOf(rows, "b")).toEqual({ step: "b", text: "B" });
});

test("a step that begins again begins with nothing (I1)", () => {
  expect(wordsOf([stepStarted("a"), said("a", 0, "old"), stepStarted("a"), said("a", 0, "new")])?.text).toBe("new");
  expect(wordsOf([said("a", 0, "once"), stepCompleted("a"), said("a", 0, "again"), stepCompleted("a")])?.text).toBe(
    "again",
  );
});

test("an answer that was mended is what was said last (I1)", () => {
  const notice = (code: string): Row => {
    return { type: "notice", run: "r1", step: "a", payload: { severity: "warning", code, message: "no JSON" } };
  };
  const rows = (code: string) => [said("a", 0, "no JSON"), notice(code), said("a", 0, "{}", 2), stepCompleted("a")];
  expect(wordsOf(rows("EXECUTION.STEP.INVALID_SHAPE"))?.text).toBe("{}");
  expect(wordsOf(rows("X"))?.text).toBe("no JSON\n{}");
});

test("runs are told apart, and live text waits for its row", () => {
  expect(wordsOf([said("a", 0, "outer"), said("a", 0, "inner", 1, "r2"), stepCompleted("a")])?.text).toBe("outer");
  const words = new StepWords();
  words.take([new Log().live(said("a", 0, "live"))] as readonly Frame[]);
  expect(words.said).toBeNull();
});

test("of very long words the end is kept (I2)", () => {
  const { text = "", omitted } =
    wordsOf([said("a", 0, "xx"), said("a", 2, `${"y".repeat(MOST_WORDS - 1)}z`), said("a", 1, "", 2)]) ?? {};
  expect([text.length, text.at(0), text.at(-1), omitted]).toEqual([MOST_WORDS, "y", "\n", 3]);
});

test("their end begins with a whole character (I2)", () => {
  const text = wordsOf([said("a", 0, `${"😀".repeat(MOST_WORDS / 2)}z`)])?.text ?? "";
  expect([text.length, text.isWellFormed(), text.at(-1)]).toEqual([MOST_WORDS - 1, true, "z"]);
});
