/** A log, and all the spans of it, in the order of their ends. */
import { describe, expect, it } from "vitest";
import { attemptSpan, runSpan, sessionSpan, stepSpan, traceIdOf, turnSpan } from "../../../machines/trace-context.ts";
import { measuresOf } from "../../../projections/spans/measures.ts";
import { brief, ended, OPENED, RUN, RUN_END, rowsOf, spansOf, step, TURN, TURN_END } from "./span-rows.ts";

describe("spans", () => {
  it("stand in each other as what they are spans of does", async () => {
    const all = await spansOf(
      rowsOf([
        [0, OPENED],
        [1, TURN],
        [2, RUN],
        [3, step("a")],
        [
          4,
          {
            type: "tool.call",
            run: "r",
            step: "a",
            payload: { call: "c", title: "ls", kind: "execute", status: "pending" },
          },
        ],
        [5, { type: "tool.result", run: "r", step: "a", payload: { call: "c", status: "completed" } }],
        [
          6,
          {
            type: "usage.recorded",
            run: "r",
            step: "a",
            payload: { inputTokens: 3, outputTokens: 4, cost: { amount: 0.5, currency: "USD" } },
          },
        ],
        [7, ended("a")],
        [8, RUN_END],
        [9, TURN_END],
      ]),
    );
    expect(all.map(brief)).toEqual([
      { name: "tool execute", parent: attemptSpan("r", "a", 1), took: [4, 5] },
      { name: "attempt 1", parent: stepSpan("r", "a"), took: [3, 7] },
      { name: "step a", parent: runSpan("r"), took: [3, 7] },
      { name: "run w", parent: turnSpan("t"), took: [2, 8] },
      { name: "turn", parent: sessionSpan("s"), took: [1, 9] },
      { name: "session", parent: null, took: [0, 9] },
    ]);
    expect(new Set(all.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf("s", { outer: null })]));
    expect(all[1]?.attributes).toMatchObject({ "gen_ai.usage.input_tokens": 3, "troupe.cost": 0.5 });
    expect(all.every(({ error }) => error === null)).toBe(true);
  });

  it("say whose they are, what they are of, and how that ended; nothing that was not said", async () => {
    const tool = { call: "c", title: "ls", kind: "execute", status: "pending" } as const;
    const used = { inputTokens: 3, totalTokens: 9, cost: { amount: 0.5, currency: "USD" } };
    const all = await spansOf(
      rowsOf([
        [0, OPENED],
        [1, TURN],
        [2, { type: "permission.requested", payload: { permission: "p" } } as never],
        [3, { type: "permission.resolved", payload: { permission: "p", outcome: "allowed" } } as never],
        [4, RUN],
        [5, { type: "input.required", run: "r", payload: { input: "i" } } as never],
        [6, { type: "input.answered", run: "r", payload: { input: "i" } } as never],
        [7, step("a")],
        [8, { type: "tool.call", run: "r", step: "a", payload: tool }],
        [9, { type: "tool.result", run: "r", step: "a", payload: { call: "c", status: "failed" } }],
        [10, { type: "usage.recorded", run: "r", step: "a", payload: { outputTokens: 1 } }],
        [11, { type: "usage.recorded", run: "r", step: "a", payload: used }],
        [12, { type: "usage.recorded", run: "r", step: "other", payload: { totalTokens: 7 } }],
        [13, ended("a")],
        [14, RUN_END],
        [15, TURN_END],
      ]),
    );
    const own = { "session.id": "s" };
    const [inRun, inStep] = [
      { ...own, "troupe.run": "r" },
      { ...own, "troupe.run": "r", "troupe.step": "a" },
    ];
    const end = { "troupe.status": "completed", "troupe.exit_code": 0 };
    expect(all.map(({ kind, parent, attributes, error }) => [kind, parent, attributes, error])).toEqual([
      ["permission", sessionSpan("s"), { ...own, "troupe.outcome": "allowed" }, null],
      ["question", runSpan("r"), inRun, null],
      [
        "tool",
        attemptSpan("r", "a", 1),
        {
          ...inStep,
          ...{ "gen_ai.operation.name": "execute_tool", "troupe.tool.kind": "execute", "troupe.tool.title": "ls" },
          "troupe.status": "failed",
        },
        { code: "failed", message: "" },
      ],
      [
        "attempt",
        stepSpan("r", "a"),
        {
          ...{ ...inStep, "troupe.attempt": 1 },
          ...{ "gen_ai.usage.input_tokens": 3, "gen_ai.usage.output_tokens": 1, "troupe.usage.total_tokens": 9 },
          ...{ "troupe.cost": 0.5, "troupe.cost.currency": "USD" },
        },
        null,
      ],
      ["step", runSpan("r"), { ...inStep, "troupe.step.kind": "command", "troupe.step.title": "a", ...end }, null],
      ["run", turnSpan("t"), { ...inRun, "troupe.workflow": "w", ...end }, null],
      ["turn", sessionSpan("s"), { ...own, "troupe.turn": "t", "troupe.stop_reason": "end_turn" }, null],
      ["session", null, own, null],
    ]);
  });

  it("say the message of a tool that failed, and that of a run that failed without one", async () => {
    const all = await spansOf(
      rowsOf([
        [0, RUN],
        [1, step("a")],
        [
          2,
          { type: "tool.call", run: "r", step: "a", payload: { call: "c", kind: "read", status: "pending" } } as never,
        ],
        [3, { type: "tool.result", run: "r", step: "a", payload: { call: "c", status: "failed", title: "no file" } }],
        [4, { ...RUN_END, payload: { workflow: "w", status: "failed", exitCode: 1 } } as never],
        [5, { ...RUN_END, payload: { workflow: "w", status: "failed", exitCode: 1 } } as never],
      ]),
    );
    expect(all.map(({ kind, error }) => [kind, error])).toEqual([
      ["tool", { code: "failed", message: "no file" }],
      ["run", { code: "failed", message: "" }],
    ]);
  });

  it("stand below the span of who started the process", async () => {
    const outer = { traceId: "a".repeat(32), spanId: "b".repeat(16) };
    const whole = rowsOf([
      [0, OPENED],
      [1, TURN],
      [2, TURN_END],
    ]);
    expect((await spansOf(whole, outer)).map(({ traceId, name, parent }) => [traceId, name, parent])).toEqual([
      [outer.traceId, "turn", sessionSpan("s")],
      [outer.traceId, "session", outer.spanId],
    ]);
    expect((await spansOf(whole.slice(1), outer)).map(({ parent }) => parent)).toEqual([outer.spanId]);
  });
});

it("measures count what ended, and name no session, run or step", async () => {
  const all = await spansOf(
    rowsOf([
      [0, RUN],
      [1_000, step("a")],
      [
        2_000,
        {
          type: "usage.recorded",
          run: "r",
          step: "a",
          payload: { inputTokens: 3, cost: { amount: 0.5, currency: "USD" } },
        },
      ],
      [3_000, ended("a")],
      [4_000, RUN_END],
    ]),
  );
  expect(all.flatMap(measuresOf)).toEqual([
    { name: "troupe.attempts", value: 1, labels: {} },
    { name: "troupe.tokens", value: 3, labels: { direction: "input" } },
    { name: "troupe.cost", value: 0.5, labels: { currency: "USD" } },
    { name: "troupe.steps", value: 1, labels: { kind: "command", status: "completed" } },
    { name: "troupe.step.duration", value: 2, labels: { kind: "command", status: "completed" } },
    { name: "troupe.runs", value: 1, labels: { workflow: "w", status: "completed" } },
    { name: "troupe.run.duration", value: 4, labels: { workflow: "w", status: "completed" } },
  ]);
});
