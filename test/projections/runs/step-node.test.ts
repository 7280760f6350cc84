/** A step of a run as its log shows it: what it waits for, what it said, and whose it is. */
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { output, runStarted, said, stepCompleted, stepStarted } from "../terminal/rows.ts";
import { container, fail, folded, outline } from "./tree-rows.ts";

describe("a step of a run", () => {
  const at = (step: string, type: string, payload: object): Row => ({ type, run: "r1", step, payload }) as Row;
  const one = (...rows: Row[]) => folded([runStarted(), stepStarted("ask"), ...rows]).fold.tree(true).steps[0];

  it("waits for an answer until it has come", () => {
    const asked = at("ask", "input.required", { input: "i", prompt: "Which?" });
    expect(one(asked)?.waitsFor).toEqual([{ type: "input", id: "i", text: "Which?" }]);
    expect(one(asked, at("ask", "input.answered", { input: "other" }))?.waitsFor).toHaveLength(1);
    expect(one(asked, at("ask", "input.answered", { input: "i" }))).toMatchObject({ waitsFor: [], state: "running" });
  });

  it("waits for a decision until it has come", () => {
    const asked = at("ask", "permission.requested", { permission: "p", title: "May it?" });
    expect(one(asked, at("ask", "permission.resolved", { permission: "other" }))?.waitsFor).toHaveLength(1);
    expect(one(asked, at("ask", "permission.resolved", { permission: "p" }))?.waitsFor).toEqual([]);
  });

  it("halts for an error with a code, until it goes on; one that has ended does not", () => {
    const notice = (payload: object) => at("ask", "notice", { severity: "error", code: "C", message: "m", ...payload });
    const halt = { code: "C", message: "m" };
    expect(one(notice({}))?.halt).toEqual(halt);
    expect(one(notice({ severity: "warning" }))?.halt).toBeNull();
    expect(one(notice({ code: undefined }))?.halt).toBeNull();
    expect(one(stepCompleted("ask"), notice({}))?.halt).toBeNull();
    expect(one(notice({}), at("ask", "budget.noted", { is: "stopped" }))?.halt).toEqual(halt);
    expect(one(notice({}), at("ask", "budget.noted", { is: "raised" }))?.halt).toBeNull();
  });

  it("has what it says and prints, not what it thinks or what its tools print", () => {
    const { fold } = folded([
      ...[runStarted(), stepStarted("ask"), said("ask", 0, "said\n"), output("ask", 0, "bad\n", "stderr")],
      { ...said("ask", 0, "thought\n", 2), type: "message.thought" } as Row,
      { ...output("ask", 0, "of a tool\n"), payload: { block: "t", offset: 0, text: "of a tool\n", call: "c" } } as Row,
      stepCompleted("ask", fail),
    ]);
    expect(fold.causes(9).map(({ stdout, stderr }) => [stdout, stderr])).toEqual([[["said"], ["bad"]]]);
  });

  it("of a log of an earlier version called a run where it is the last open call without one", () => {
    const call = container("call_workflow");
    const { fold } = folded([
      ...[runStarted(), stepStarted("a", call), stepCompleted("a", call), stepStarted("b", call), stepStarted("c")],
      ...[runStarted("child", {}, "r2", "r1"), stepStarted("x", {}, "r2")],
      ...[runStarted("stray", {}, "r3", "r1"), stepStarted("y", {}, "r3"), runStarted("other", {}, "r4")],
    ]);
    expect(outline(fold.tree(true).steps)).toEqual([
      ["a", "completed"],
      ["b", "running", [["b/x", "running"]]],
      ["c", "running"],
    ]);
    expect(["r1", "r2", "r3", "r4", undefined].map((run) => fold.holds(run === undefined ? {} : { run }))).toEqual([
      ...[true, true, false, false, false],
    ]);
    expect(fold.placeOf({ run: "r2", step: "x" })).toEqual(["b", "b/x"]);
    expect([fold.placeOf({ run: "r2" }), fold.placeOf({ run: "r1" }), fold.placeOf({})]).toEqual([["b"], [], []]);
  });

  it("stands in the plan of its own run, which says what it does again", () => {
    const rerun = { run: "r0", from: null, taken: [] };
    const plan = [{ name: "ask", title: "Ask", kind: "ask" }];
    const { fold } = folded([
      { type: "run.started", run: "r1", payload: { workflow: "w", plan, inputs: {}, rerun } } as unknown as Row,
      { type: "run.started", run: "r2", parentRun: "r1", payload: { workflow: "v", plan: [], inputs: {} } } as Row,
    ]);
    expect([fold.plan, fold.rerun]).toEqual([plan, rerun]);
    const none = folded([runStarted()]).fold;
    expect([none.plan, none.rerun, new RunFold("r9").plan]).toEqual([[], null, []]);
  });
});
