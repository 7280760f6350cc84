/** Covers `calls.ts`: the lines of tool calls. */
import { beforeEach, expect, test } from "vitest";
import { ToolLines } from "../../../projections/terminal/calls.ts";
import { paint } from "../../../projections/terminal/paint.ts";

let tools: ToolLines;
beforeEach(() => {
  tools = new ToolLines(paint(false));
});
const begin = (call: string, title: string, status = "in_progress", step = "s") =>
  tools.begin(step, { call, title, status } as never);
const end = (call: string, more: object = {}) => tools.end("s", { call, status: "completed", ...more } as never);
const line = (text: string) => ({ title: true, deeper: 0, text: `• ${text}` });
const below = (text: string) => ({ title: false, deeper: 1, text });

test("a call that is at work has its line at once, and none later", () => {
  expect([begin("1", "Read a\u202e"), tools.more("s", { call: "1", title: "Read b" }), end("1")]).toEqual([
    ...[[line("Read a\\u202e")], [], []],
  ]);
});

test("one that is pending waits for the next word of it, and has its last title then (I1)", () => {
  expect([begin("1", "Read", "pending"), begin("2", "Write", "pending")]).toEqual([[], []]);
  expect([tools.more("s", { call: "1", title: "Read a.txt" }), tools.more("s", { call: "1" })]).toEqual([
    ...[[line("Read a.txt")], []],
  ]);
  expect([tools.more("other", { call: "2" }), tools.more("s", { call: "2" })]).toEqual([[], [line("Write")]]);
});

test("at most until its step does something else, or it has ended (I1)", () => {
  begin("1", "Read", "pending");
  begin("2", "Write", "pending");
  begin("3", "Elsewhere", "pending", "t");
  expect([tools.leave("s"), tools.leave("s"), tools.leave("none")]).toEqual([[line("Read"), line("Write")], [], []]);
  begin("4", "Look", "pending");
  expect(end("4", { title: "Look at a" })).toEqual([line("Look at a")]);
  expect(tools.leave("t")).toEqual([line("Elsewhere")]);
});

test("what it changed stands below, and why it failed", () => {
  begin("1", "Edit a\u202e");
  const content = [
    { type: "diff", path: "a", oldText: null, newText: "x\n" },
    { type: "text", text: "no" },
    { type: "text", text: "way" },
  ];
  expect(end("1", { content })).toEqual([below("± a (new, +1)")]);
  expect(end("1", { content, status: "failed" })).toEqual([
    ...[below("± a (new, +1)"), below("✗ Edit a\\u202e failed: no way")],
  ]);
  expect(end("1", { status: "failed" })).toEqual([below("✗ Edit a\\u202e failed")]);
  expect(end("unknown", { status: "failed" })).toEqual([below("✗ the tool failed")]);
  const much = end("1", { content: [{ type: "text", text: "Exit code 1\nno\n".repeat(3_000) }], status: "failed" });
  expect(much[0]?.text).toMatch(/^✗ Edit a\\u202e failed: Exit code 1 no .{400,500}…$/); // I2
});
