/** Covers `step-tail.ts`: the last lines of a step at work. */
import { beforeEach, expect, test } from "vitest";
import type { Row, TextRow } from "../../../machines/exchange.ts";
import { StepTail } from "../../../projections/screen/step-tail.ts";
import { Log, output, said, stepStarted } from "../terminal/rows.ts";

let tail: StepTail;
let log: Log;
beforeEach(() => {
  [tail, log] = [new StepTail(), new Log()];
});
const see = (...rows: Row[]): void => {
  for (const row of rows) tail.see(log.row(row));
};
const lines = (most = 100): string[] => tail.last(most).map(({ tone, text }) => `${tone}: ${text}`);
const thought = (offset: number, text: string, ordinal = 9): TextRow => ({
  ...said("s", offset, text, ordinal),
  type: "message.thought",
});
const tool = (call: string, title?: string, type: "tool.call" | "tool.update" = "tool.call"): Row =>
  ({ type, run: "r1", step: "s", payload: { call, ...(title === undefined ? {} : { title }) } }) as Row;

test("words, thoughts, tools and what programs print, each in its tone", () => {
  see(thought(0, "Hm.\n"), said("s", 0, "So\nbe it"), tool("t1", "Read a.txt"));
  see(output("s", 0, "out\n"), output("s", 0, "bad\n", "stderr"));
  expect(lines()).toEqual([
    "thought: Hm.",
    "said: So",
    "said: be it",
    "tool: • Read a.txt",
    "printed: out",
    "error: bad",
  ]);
});

test("a line that goes on is one, and live chunks with their rows are shown once (I2)", () => {
  const row = said("s", 0, "one t");
  tail.hear(log.live(row), true);
  see(row, said("s", 5, "wo\nthree"));
  expect(lines()).toEqual(["said: one two", "said: three"]);
});

test("who speaks next has ended the line before; a program goes on with its own", () => {
  see(output("s", 0, "half "), said("s", 0, "words"), thought(0, "thought"), output("s", 5, "whole\n"));
  expect(lines()).toEqual(["said: words", "printed: half whole", "thought: thought"]);
  see(said("s", 5, " more"));
  expect(lines()).toEqual(["said: words", "printed: half whole", "thought: thought", "said:  more"]);
});

test("a tool is one line, with its last title; without one it is none", () => {
  see(tool("t1"), tool("t1", "Read"), tool("t2", "Write"), tool("t1", "Read a.txt", "tool.update"), tool("t2"));
  expect(lines()).toEqual(["tool: • Read a.txt", "tool: • Write"]);
});

test("what a tool of an agent prints is not here", () => {
  see({ ...output("s", 0, "hidden\n"), payload: { block: "b", offset: 0, text: "hidden\n", call: "t1" } } as Row);
  expect(lines()).toEqual([]);
});

test("a new attempt says so, and what was open is ended", () => {
  const reason = { code: "EXECUTION.COMMAND.FAILED", message: "exit 1" };
  see(said("s", 0, "open"), output("s", 0, "printed"));
  see({ type: "step.retrying", run: "r1", step: "s", payload: { name: "s", attempt: 1, delayMs: 0, reason } });
  const [first, second, ...more] = lines();
  expect([first, second?.startsWith("retry: "), more]).toEqual(["said: open", true, []]);
});

test("rows that say nothing add nothing; empty lines are left out", () => {
  see(stepStarted("s"), said("s", 0, "a\n\n  \nb"));
  expect(lines()).toEqual(["said: a", "said: b"]);
});

test("at most so many are shown, the last ones; none where none are asked for", () => {
  see(said("s", 0, "1\n2\n3\n4"));
  expect([lines(2), lines(0), lines(-1)]).toEqual([["said: 3", "said: 4"], [], []]);
});

test("all of it is safe to show", () => {
  see(said("s", 0, "a\u001b[31mb\u202e"), tool("t", "x\ny"));
  expect(["\u001b", "\u202e", "\n"].filter((one) => lines().join("").includes(one))).toEqual([]);
});

test("however much comes, a bounded number of lines is held (I1)", () => {
  const count = (): number => lines(1_000).length;
  const counts = Array.from({ length: 300 }, (_, at) => {
    see(said("s", at * 2, "x\n"));
    return count();
  });
  expect([Math.max(...counts), counts.slice(0, 127).at(-1), counts[127]]).toEqual([127, 127, 64]);
});

test("a line without end is held in part: a screen that is drawn anew reads no more of it", () => {
  for (let at = 0; at < 20; at++) see(output("s", at * 1_000, "x".repeat(1_000)));
  expect(lines()).toEqual([`printed: ${"x".repeat(4_096)}`]);
  see(output("s", 20_000, "end\nnext"));
  expect(lines()).toEqual([`printed: ${"x".repeat(4_096)}`, "printed: next"]);
});
