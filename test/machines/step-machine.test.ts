import { describe, expect, it } from "vitest";
import type { LoopInput, ParallelInput, RunInput, StepInput, WorkInput } from "../../machines/births.ts";
import { CANCEL_LIMIT_MS } from "../../machines/step/setup.ts";
import { stepMachine } from "../../machines/step-machine.ts";
import type { StepNode } from "../../machines/workflow/document.ts";
import {
  agent,
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
  worked,
  workflow,
} from "../support/documents.ts";
import { brief, CRASH, cancel, resume, Solo } from "../support/machine.ts";

const step = (node: StepNode, more: Partial<StepInput> = {}) => new Solo(stepMachine, "step/1", stepBirth(node, more));
const all = (solo: Solo) => solo.effects.map(brief);

describe("work", () => {
  it("goes from its first row to its last, with the result for its owner", () => {
    const solo = step(command("work", { description: "The work" }));
    expect(solo.done("work", worked(OK, "out"))).toEqual(["untimer timeout", "row step.completed"]);
    expect(all(solo)).toEqual(["row step.started", "spawn work work", "untimer timeout", "row step.completed"]);
    expect(solo.rows).toEqual([
      {
        type: "step.started",
        run: "r1",
        step: "work",
        payload: { name: "work", kind: "command", title: "The work", parallel: false },
      },
      {
        type: "step.completed",
        run: "r1",
        step: "work",
        payload: { name: "work", kind: "command", status: "completed", exitCode: 0 },
      },
    ]);
    expect(solo.output).toEqual(settled(OK, { work: result(OK, "out") }));
  });

  it("gives its work the attempt and the conversation to go on with", () => {
    const node = agent("work", { conversation: { continueFrom: "before" } });
    const scope = { ...SCOPE, states: { before: { ...result(OK), Conversation: "c1" } } };
    const solo = step(node, { scope });
    expect(solo.input("work")).toEqual({
      origin: { run: "r1", step: "work", session: "s1", parallel: false, depth: 0 },
      node,
      scope,
      attempt: 1,
      conversation: "c1",
    });
  });

  it("tells a failure of the effect itself as a failed step", () => {
    const solo = step(command("work"));
    expect(solo.fail("work", { code: "SYSTEM.IO.READ_FAILED", message: "gone" })).toEqual([
      "untimer timeout",
      "row step.completed",
    ]);
    const outcome = { status: "failed", exitCode: 1, error: { code: "SYSTEM.IO.READ_FAILED", message: "gone" } };
    expect(solo.output).toEqual({
      outcome,
      left: null,
      states: { work: { Output: "", Stderr: "gone", ExitCode: 1, Status: "failed" } },
    });
  });
});

describe("retry", () => {
  it("waits, counts and starts again until the attempts are used up", () => {
    const solo = step(command("work", { retry: retry({ backoff: "exponential" }) }));
    solo.done("work", worked(BAD));
    solo.fire("backoff");
    solo.done("work", worked(BAD));
    solo.fire("backoff");
    solo.done("work", worked(BAD));
    expect(all(solo)).toEqual([
      "row step.started",
      "spawn work work",
      "untimer timeout",
      "row step.retrying",
      "timer 1000",
      "untimer backoff",
      "spawn work work",
      "untimer timeout",
      "row step.retrying",
      "timer 2000",
      "untimer backoff",
      "spawn work work",
      "untimer timeout",
      "row step.completed",
    ]);
    expect((solo.input("work") as WorkInput).attempt).toBe(3);
    expect(solo.rows[1]).toEqual({
      type: "step.retrying",
      run: "r1",
      step: "work",
      payload: { name: "work", attempt: 1, delayMs: 1_000, reason: BAD.error },
    });
  });

  it("says the exit code where the failure came without words", () => {
    const solo = step(command("work", { retry: retry() }));
    solo.done("work", worked({ status: "failed", exitCode: 7 }));
    expect(solo.rows[1]?.payload).toMatchObject({
      reason: { code: "EXECUTION.COMMAND.FAILED", message: "ended with exit code 7" },
    });
  });

  it("ends cancelled while it waits", () => {
    const solo = step(command("work", { retry: retry() }));
    solo.done("work", worked(BAD));
    expect(solo.tell(cancel)).toEqual(["untimer backoff", "row step.completed"]);
    expect(solo.output).toEqual(settled(STOPPED, { work: result(STOPPED) }));
  });

  it("gives a container's later attempt paths of its own", () => {
    const solo = step(parallel("fan", ["a"], { retry: retry() }), { nodes: nodesOf(command("a")) });
    expect((solo.input("child") as ParallelInput).origin.step).toBe("work");
    solo.done("child", settled(BAD));
    solo.fire("backoff");
    expect((solo.input("child") as ParallelInput).origin.step).toBe("work@2");
  });
});

describe("time limit", () => {
  it("stops the work, waits for it and keeps its verdict (I1, I3)", () => {
    const solo = step(command("work", { timeoutMs: 5_000 }));
    expect(all(solo)).toEqual(["row step.started", "timer 5000", "spawn work work"]);
    expect(solo.fire("timeout")).toEqual(["untimer timeout", "tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
    expect(solo.done("work", worked(OK))).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toMatchObject({
      outcome: { status: "failed", exitCode: 124, error: { code: "EXECUTION.COMMAND.TIMEOUT" } },
    });
  });

  it("does not wait for ever for work that does not hear", () => {
    const solo = step(command("work", { timeoutMs: 5_000, retry: retry() }));
    solo.fire("timeout");
    expect(solo.fire("cancelLimit")).toEqual(["untimer cancelLimit", "row step.completed", "stop work"]);
    expect(solo.output).toMatchObject({ outcome: { status: "failed", exitCode: 124 } });
  });

  it("covers one attempt, and a retry covers it", () => {
    const solo = step(command("work", { timeoutMs: 5_000, retry: retry({ jitter: 1 }) }));
    solo.fire("timeout");
    expect(solo.fail("work")).toEqual(["untimer cancelLimit", "row step.retrying", "timer 1000"]);
    expect(solo.fire("backoff")).toEqual(["untimer backoff", "timer 5000", "spawn work work"]);
  });

  it("gives way to a cancel", () => {
    const solo = step(command("work", { timeoutMs: 5_000 }));
    solo.fire("timeout");
    expect(solo.tell(cancel)).toEqual(["untimer cancelLimit", "tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
    solo.done("work", worked(OK));
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });

  it("stops a container without a limit of its own: the steps below have theirs", () => {
    const solo = step(parallel("fan", ["a"], { timeoutMs: 10 }), { nodes: nodesOf(command("a")) });
    expect(solo.fire("timeout")).toEqual(["untimer timeout", "tell all cancel.requested"]);
  });
});

describe("cancel", () => {
  it("waits for the work, whatever that comes to (I3)", () => {
    for (const end of ["done", "fail"] as const) {
      const solo = step(command("work", { retry: retry() }));
      expect(solo.tell(cancel)).toEqual(["untimer timeout", "tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
      expect(solo.tell(cancel)).toEqual([]);
      expect(end === "done" ? solo.done("work", worked(OK, "late")) : solo.fail("work")).toEqual([
        "untimer cancelLimit",
        "row step.completed",
      ]);
      expect(solo.output).toEqual(settled(STOPPED, { work: result(STOPPED) }));
    }
  });
  it("ends after its limit when the work does not", () => {
    const solo = step(command("work"));
    solo.tell(cancel);
    expect(solo.fire("cancelLimit")).toEqual(["untimer cancelLimit", "row step.completed", "stop work"]);
    expect(solo.status).toBe("done");
  });
  it("ends at once when nothing runs", () => {
    const solo = step(command("work"));
    solo.fail("work");
    expect(solo.value).toBe("interrupted");
    expect(solo.tell(cancel)).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });
});

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
      "untimer timeout",
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
    expect(solo.tell(cancel)).toEqual(["untimer timeout", "tell all cancel.requested"]);
    expect(solo.done("child", settled(OK, {}, "away"))).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED, left: null });
  });
});

describe("after a crash (I2)", () => {
  const cut = (node: StepNode) => {
    const solo = step(node);
    expect(solo.fail(solo.running[0] ?? "", CRASH)).toEqual(["untimer timeout"]);
    return solo;
  };

  it.each([
    ["its own policy", command("work", { recover: "rerun" }), "ask"],
    ["an answer given with the resume", command("work"), "rerun"],
  ] as const)("repeats the attempt by %s, under a number of its own", (_, node, asked) => {
    const solo = cut(node);
    expect(solo.tell(resume(asked))).toEqual(["spawn work work"]);
    expect((solo.input("work") as WorkInput).attempt).toBe(2);
  });

  it("uses up no retry", () => {
    const solo = cut(command("work", { recover: "rerun", retry: retry({ maxAttempts: 2, backoff: "linear" }) }));
    solo.tell(resume("ask"));
    expect(solo.done("work", worked(BAD))).toEqual(["untimer timeout", "row step.retrying", "timer 1000"]);
    solo.fire("backoff");
    expect(solo.done("work", worked(BAD))).toEqual(["untimer timeout", "row step.completed"]);
  });

  it("prepares a container again without a question", () => {
    expect(cut(forEach("each", [])).tell(resume("ask"))).toEqual(["spawn prepare prepare"]);
  });

  it.each([
    ["its own policy", command("work", { recover: "fail" }), "rerun"],
    ["an answer given with the resume", command("work"), "fail"],
  ] as const)("fails by %s", (_, node, asked) => {
    const solo = cut(node);
    expect(solo.tell(resume(asked))).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: { status: "failed", error: { code: "EXECUTION.STEP.INTERRUPTED" } } });
  });

  it("asks, and does what is answered", () => {
    const again = cut(command("work"));
    expect(again.tell(resume("ask"))).toEqual(["spawn permission permission"]);
    expect(again.input("permission")).toMatchObject({
      run: "r1",
      step: "work",
      options: [{ id: "rerun" }, { id: "fail" }],
      timeoutMs: null,
    });
    expect(again.done("permission", { outcome: "selected", option: "rerun" })).toEqual(["spawn work work"]);

    const stop = cut(command("work"));
    stop.tell(resume("ask"));
    expect(stop.done("permission", { outcome: "selected", option: "fail" })).toEqual(["row step.completed"]);
    expect(stop.output).toMatchObject({ outcome: { status: "failed", error: { code: "EXECUTION.STEP.INTERRUPTED" } } });
  });

  it("waits on when nobody answered, and lets the next resume answer", () => {
    const solo = cut(command("work"));
    solo.tell(resume("ask"));
    expect(solo.tell(resume("rerun"))).toEqual(["tell all resume.requested"]);
    expect(solo.done("permission", { outcome: "cancelled" })).toEqual([]);
    expect(solo.value).toBe("interrupted");
    expect(solo.tell(resume("rerun"))).toEqual(["spawn work work"]);
  });

  it("withdraws the question on a cancel", () => {
    const solo = cut(command("work"));
    solo.tell(resume("ask"));
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
    expect(solo.done("permission", { outcome: "cancelled" })).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });

  it("keeps the provider's conversation for the next attempt", () => {
    const solo = step(agent("work"));
    expect(solo.tell({ type: "work.noted", conversation: "c7" } as never)).toEqual([]);
    solo.fail("work");
    solo.tell(resume("rerun"));
    expect(solo.input("work")).toMatchObject({ attempt: 2, conversation: "c7" });
  });
});
