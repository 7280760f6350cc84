/** A log, and all the spans of it, in the order of their ends. */
import { from, lastValueFrom, toArray } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Exchange, Row } from "../../../machines/exchange.ts";
import { attemptSpan, runSpan, sessionSpan, stepSpan, traceIdOf, turnSpan } from "../../../machines/trace-context.ts";
import { measuresOf } from "../../../projections/spans/measures.ts";
import type { TraceSpan } from "../../../projections/spans/span.ts";
import { spans } from "../../../projections/spans/spans.ts";

const rowsOf = (rows: readonly [at: number, row: Row][]): Exchange[] =>
  rows.map(([at, row], index) => ({ ...row, seq: index + 1, at }));
const spansOf = async (rows: readonly Exchange[], outer: null | { traceId: string; spanId: string } = null) =>
  (await lastValueFrom(from(rows.map((row) => [row])).pipe(spans({ session: "s", outer }), toArray()))).flat();
const brief = ({ name, parent, startedAt, endedAt }: TraceSpan) => ({ name, parent, took: [startedAt, endedAt] });

const step = (name: string, more: object = {}): Row => ({
  ...{ type: "step.started", run: "r", step: name },
  payload: { name, kind: "command", title: name, parallel: false, ...more },
});
const ended = (name: string, status: "completed" | "failed" = "completed"): Row => ({
  ...{ type: "step.completed", run: "r", step: name },
  payload: {
    ...{ name, kind: "command", status, exitCode: status === "failed" ? 1 : 0 },
    ...(status === "failed" ? { error: { code: "EXECUTION.COMMAND.FAILED", message: "exit code 1" } } : {}),
  },
});
const OPENED: Row = { type: "session.opened", payload: { cwd: "/", principal: "p" } };
const TURN: Row = { type: "turn.started", payload: { turn: "t" } };
const RUN: Row = { type: "run.started", run: "r", payload: { workflow: "w", turn: "t", plan: [], inputs: {} } };
const RUN_END: Row = { type: "run.completed", run: "r", payload: { workflow: "w", status: "completed", exitCode: 0 } };
const TURN_END: Row = { type: "turn.completed", payload: { turn: "t", stopReason: "end_turn" } };

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
