/** Spans of attempts, branches, rounds, questions, and what another process has begun. */
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { attemptSpan, sessionSpan } from "../../../machines/trace-context.ts";
import { brief, ended, OPENED, RUN, RUN_END, rowsOf, spansOf, step, TURN, TURN_END } from "./span-rows.ts";

describe("spans", () => {
  it("have one of each attempt; what waits between two is of neither", async () => {
    const all = await spansOf(
      rowsOf([
        [0, RUN],
        [1, step("a")],
        [
          2,
          {
            type: "step.retrying",
            run: "r",
            step: "a",
            payload: { name: "a", attempt: 1, delayMs: 5, reason: { code: "X", message: "no" } },
          },
        ],
        [9, ended("a", "failed")],
      ]),
    );
    expect(all.map(({ name, startedAt, endedAt, error }) => [name, startedAt, endedAt, error?.code])).toEqual([
      ["attempt 1", 1, 2, "X"],
      ["attempt 2", 7, 9, "EXECUTION.COMMAND.FAILED"],
      ["step a", 1, 9, "EXECUTION.COMMAND.FAILED"],
    ]);
  });

  it("of branches, rounds and called runs stand in the attempt that began them", async () => {
    const all = await spansOf(
      rowsOf([
        [0, RUN],
        [1, step("each", { kind: "for_each" })],
        [2, step("each/0.look")],
        [
          3,
          {
            type: "run.started",
            run: "c",
            parentRun: "r",
            parentStep: "each/0.look",
            payload: { workflow: "w2", plan: [], inputs: {} },
          },
        ],
        [
          4,
          {
            type: "run.completed",
            run: "c",
            parentRun: "r",
            payload: { workflow: "w2", status: "failed", exitCode: 1 },
          },
        ],
        [5, ended("each/0.look")],
        [6, step("each@2/0.look")],
        [7, ended("each@2/0.look")],
      ]),
    );
    expect(all.filter(({ kind }) => kind !== "attempt").map(({ name, parent }) => [name, parent])).toEqual([
      ["run w2", attemptSpan("r", "each/0.look", 1)],
      ["step each/0.look", attemptSpan("r", "each", 1)],
      ["step each@2/0.look", attemptSpan("r", "each", 2)],
    ]);
    expect(all[0]?.error).toEqual({ code: "failed", message: "" });
  });

  it("of questions last as long as nobody has answered, though they are asked anew meanwhile", async () => {
    const asked: Row = {
      type: "permission.requested",
      payload: { permission: "p", title: "", kind: "other", message: "", options: [] },
    };
    const all = await spansOf(
      rowsOf([
        [0, RUN],
        [1, asked],
        [2, asked],
        [2, { type: "input.required", run: "r", step: "a", payload: { input: "i", prompt: "secret words" } }],
        [5, { type: "input.answered", run: "r", step: "a", payload: { input: "i", text: "secret words" } }],
        [6, { type: "permission.resolved", payload: { permission: "p", outcome: "selected" } }],
      ]),
    );
    expect(all.map(brief)).toEqual([
      { name: "question", parent: attemptSpan("r", "a", 1), took: [2, 5] },
      { name: "permission", parent: sessionSpan("s"), took: [1, 6] },
    ]);
    expect(JSON.stringify(all)).not.toContain("secret words"); // I2
  });

  it("name the parents that another process has begun, and have none of what has no end (I1, I3)", async () => {
    const whole = rowsOf([
      [0, OPENED],
      [1, TURN],
      [2, RUN],
      [3, step("a")],
      [4, ended("a")],
      [5, RUN_END],
      [6, TURN_END],
    ]);
    const [all, later] = [await spansOf(whole), await spansOf(whole.slice(3))];
    expect(later.map(({ name }) => name)).toEqual(["attempt 1", "step a"]);
    expect(later).toEqual(all.slice(0, 2));
  });
});
