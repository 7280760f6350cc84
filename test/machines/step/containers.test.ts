import { describe, expect, it } from "vitest";
import type { LoopInput, RunInput, StepInput } from "../../../machines/contracts.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import type { StepNode } from "../../../machines/workflow/document.ts";
import {
  BAD,
  call,
  command,
  forEach,
  nodesOf,
  OK,
  parallel,
  result,
  retry,
  SCOPE,
  STOPPED,
  settled,
  stepBirth,
  workflow,
} from "../../support/documents.ts";
import { brief, cancel, resume, Solo } from "../../support/machine.ts";

const step = (node: StepNode, more: Partial<StepInput> = {}) => new Solo(stepMachine, "step/1", stepBirth(node, more));
const all = (solo: Solo) => solo.effects.map(brief);

describe("containers", () => {
  const body = nodesOf(command("one"));
  it("renders a loop's items before it starts it", () => {
    const node = forEach("each", ["one"], { items: "{{.inputs.list}}" });
    const solo = step(node, { nodes: body });
    expect(all(solo)).toEqual(["row step.started", "spawn prepare prepare"]);
    expect(solo.done("prepare", { type: "loop", items: ["a"], maxIterations: 4 })).toEqual(["spawn loop child"]);
    const input: LoopInput = { ...stepBirth(node, { nodes: body }), node, items: ["a"], maxIterations: 4 };
    expect(solo.input("child")).toEqual(input);
    expect(solo.done("child", settled(OK, { one: result(OK) }, "away"))).toEqual([
      "untimer limit",
      "row step.completed",
    ]);
    expect(solo.output).toEqual(settled(OK, { one: result(OK), each: result(OK) }, "away"));
  });

  it("calls a workflow as a run one level down and keeps only its outputs", () => {
    const inner = workflow([command("x")], { name: "inner" });
    const solo = step(call("sub"));
    expect(
      solo.done("prepare", { type: "call", run: "r2", workflow: inner, inputs: { n: 1 }, env: { HOME: "/" } }),
    ).toEqual(["row step.call_workflow.started", "spawn run child"]);
    expect(solo.input("child")).toEqual({
      id: "r2",
      workflow: inner,
      inputs: { n: 1 },
      env: { HOME: "/" },
      context: SCOPE.context,
      session: "s1",
      turn: null,
      parentRun: "r1",
      parentStep: "work",
      parallel: false,
      depth: 1,
      callers: [{ name: "demo", file: SCOPE.file }],
    } satisfies RunInput);
    solo.done("child", { outcome: OK, outputs: { tag: "v1" } });
    expect(solo.output).toEqual(
      settled(OK, { sub: { ...result(OK, '{"tag":"v1"}'), Response: { tag: "v1" }, JSON: { tag: "v1" } } }),
    );
  });

  const inner = workflow([command("x")], { name: "inner" });
  const begun = (node: StepNode) => {
    const solo = step(node);
    solo.done("prepare", { type: "call", run: "r2", workflow: inner, inputs: {}, env: {} });
    return solo;
  };
  const ends = (solo: Solo) =>
    solo.rows.flatMap(({ type, childRun, payload }) =>
      childRun === undefined
        ? []
        : [[type.slice("step.call_workflow.".length), childRun, (payload as { status?: string }).status]],
    );
  it.each([
    ["well", (solo: Solo) => solo.done("child", { outcome: OK, outputs: {} }), "completed"],
    ["with a failure", (solo: Solo) => solo.done("child", { outcome: BAD, outputs: {} }), "failed"],
    ["with a failed machine", (solo: Solo) => solo.fail("child"), "failed"],
    [
      "cancelled",
      (solo: Solo) => {
        solo.tell(cancel);
        solo.done("child", { outcome: STOPPED, outputs: {} });
      },
      "cancelled",
    ],
    [
      "with a failed machine after a cancel",
      (solo: Solo) => {
        solo.tell(cancel);
        solo.fail("child");
      },
      "failed",
    ],
    [
      "at its time limit",
      (solo: Solo) => {
        solo.fire("limit");
        solo.done("child", { outcome: STOPPED, outputs: {} });
      },
      "cancelled",
    ],
  ] as const)("names a called run when it begins and when it has ended %s, once each", (_, end, status) => {
    const solo = begun(call("sub", { timeoutMs: 1_000 }));
    end(solo);
    expect(solo.status).toBe("done");
    expect(solo.rows.map(({ type }) => type)).toEqual([
      "step.started",
      "step.call_workflow.started",
      "step.call_workflow.completed",
      "step.completed",
    ]);
    expect(ends(solo)).toEqual([
      ["started", "r2", undefined],
      ["completed", "r2", status],
    ]);
  });
  it("gives each run of a repeated call its own name", () => {
    const solo = begun(call("sub", { retry: retry() }));
    solo.done("child", { outcome: BAD, outputs: {} });
    solo.fire("backoff");
    solo.done("prepare", { type: "call", run: "r3", workflow: inner, inputs: {}, env: {} });
    solo.done("child", { outcome: OK, outputs: {} });
    expect(ends(solo)).toEqual([
      ["started", "r2", undefined],
      ["completed", "r2", "failed"],
      ["started", "r3", undefined],
      ["completed", "r3", "completed"],
    ]);
  });

  const rest = { items: ["a", "b"], next: 1, again: [], states: {} };
  it("keeps what an attempt has left undone when it is cancelled before the next one", () => {
    const solo = step(forEach("each", ["one"], { retry: retry() }), { nodes: body });
    solo.done("prepare", { type: "loop", items: ["a", "b"], maxIterations: 4 });
    solo.done("child", { ...settled(BAD, { one: result(BAD) }), rest });
    expect(solo.value).toBe("backing off");
    solo.tell(cancel);
    expect(solo.output).toMatchObject({ ...settled(STOPPED, { one: result(BAD) }), rest });
  });
  const withHook = forEach("each", ["one"], { hooks: { pre: [], post: [{ log: "done" }] } });
  const failed = () => {
    const solo = step(withHook, { nodes: body });
    solo.done("prepare", { type: "loop", items: ["a", "b"], maxIterations: 4 });
    solo.done("child", { ...settled(BAD, { one: result(BAD) }), rest });
    return solo;
  };
  it("keeps it too when it is cancelled while its hooks run, or after a crash cut them off (stopping I4)", () => {
    const hooked = failed();
    hooked.tell(cancel);
    hooked.done("hooks", {});
    const unhooked = failed();
    unhooked.fail("hooks", { code: "INTERRUPTED", message: "" });
    unhooked.tell(cancel);
    for (const { output } of [hooked, unhooked])
      expect(output).toMatchObject({
        outcome: STOPPED,
        states: { one: result(BAD), each: { Status: "cancelled" } },
        rest,
      });
  });
  it("keeps it too when it is cancelled after a crash at its time limit (stopping I4)", () => {
    const solo = step(forEach("each", ["one"], { timeoutMs: 10 }), { nodes: body });
    solo.done("prepare", { type: "loop", items: ["a", "b"], maxIterations: 4 });
    solo.fire("limit");
    solo.tell({ type: "owner.lost" });
    solo.done("child", { ...settled(STOPPED, { one: result(STOPPED) }), rest });
    expect(solo.value).toBe("unjudged");
    solo.tell(cancel);
    expect(solo.output).toMatchObject({ outcome: STOPPED, rest });
  });

  it("fails when it cannot be prepared, and when its machine fails", () => {
    const fault = { code: "WORKFLOW.LOOP.BAD_ITEMS", message: "no list" };
    const unprepared = step(forEach("each", ["one"]));
    unprepared.fail("prepare", fault);
    const broken = step(parallel("fan", []));
    broken.fail("child", fault);
    for (const solo of [unprepared, broken])
      expect(solo.output).toMatchObject({ outcome: { status: "failed", exitCode: 1, error: fault } });
  });

  it("passes a cancel and a resume on to what runs inside", () => {
    const solo = step(parallel("fan", ["a"]), { nodes: nodesOf(command("a")) });
    expect(solo.tell(resume("ask"))).toEqual(["tell all resume.requested"]);
    expect(solo.tell(cancel)).toEqual(["untimer limit", "tell all cancel.requested"]);
    expect(solo.done("child", settled(OK, {}, "away"))).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED, left: null });
  });
});
