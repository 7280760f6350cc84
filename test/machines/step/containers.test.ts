import { describe, expect, it } from "vitest";
import type { LoopInput, RunInput, StepInput } from "../../../machines/contracts.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import type { StepNode } from "../../../machines/workflow/document.ts";
import {
  call,
  command,
  forEach,
  nodesOf,
  OK,
  parallel,
  result,
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
    expect(solo.done("prepare", { type: "call", workflow: inner, inputs: { n: 1 }, env: { HOME: "/" } })).toEqual([
      "spawn run child",
    ]);
    expect(solo.input("child")).toEqual({
      id: null,
      workflow: inner,
      inputs: { n: 1 },
      env: { HOME: "/" },
      context: SCOPE.context,
      session: "s1",
      turn: null,
      parentRun: "r1",
      parallel: false,
      depth: 1,
      callers: [{ name: "demo", file: SCOPE.file }],
    } satisfies RunInput);
    solo.done("child", { outcome: OK, outputs: { tag: "v1" } });
    expect(solo.output).toEqual(
      settled(OK, { sub: { ...result(OK, '{"tag":"v1"}'), Response: { tag: "v1" }, JSON: { tag: "v1" } } }),
    );
  });

  it("fails when it cannot be prepared, and when its machine failed", () => {
    const fault = { code: "WORKFLOW.LOOP.BAD_ITEMS", message: "no list" };
    const unprepared = step(forEach("each", ["one"]));
    unprepared.fail("prepare", fault);
    const broken = step(parallel("fan", []));
    broken.fail("child", fault);
    for (const solo of [unprepared, broken])
      expect(solo.output).toMatchObject({ outcome: { status: "failed", exitCode: 1, error: fault } });
  });

  it("passes a cancel and a resume on to what is inside", () => {
    const solo = step(parallel("fan", ["a"]), { nodes: nodesOf(command("a")) });
    expect(solo.tell(resume("ask"))).toEqual(["tell all resume.requested"]);
    expect(solo.tell(cancel)).toEqual(["untimer limit", "tell all cancel.requested"]);
    expect(solo.done("child", settled(OK, {}, "away"))).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED, left: null });
  });
});
