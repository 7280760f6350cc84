import { describe, expect, it } from "vitest";
import type { StepInput, WorkInput } from "../../../machines/contracts.ts";
import { CANCEL_LIMIT_MS } from "../../../machines/step/context.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import type { StepNode } from "../../../machines/workflow/document.ts";
import {
  agent,
  BAD,
  command,
  forEach,
  nodesOf,
  parallel,
  result,
  retry,
  STOPPED,
  settled,
  stepBirth,
  worked,
} from "../../support/documents.ts";
import { CRASH, cancel, resume, Solo } from "../../support/machine.ts";

const step = (node: StepNode, more: Partial<StepInput> = {}) => new Solo(stepMachine, "step/1", stepBirth(node, more));
describe("after a crash (I2)", () => {
  const cut = (node: StepNode) => {
    const solo = step(node);
    expect(solo.fail(solo.running[0] ?? "", CRASH)).toEqual(["untimer limit"]);
    return solo;
  };

  it.each([
    ["its own policy", command("work", { recover: "rerun" }), "ask"],
    ["an answer given with the resume", command("work"), "rerun"],
  ] as const)("repeats the attempt by %s, under a number of its own", (_, node, asked) => {
    const solo = cut(node);
    expect(solo.tell(resume(asked))).toEqual(["row step.retrying", "spawn work work"]);
    expect((solo.input("work") as WorkInput).attempt).toBe(2);
  });

  it("uses up no retry", () => {
    const solo = cut(command("work", { recover: "rerun", retry: retry({ maxAttempts: 2, backoff: "linear" }) }));
    solo.tell(resume("ask"));
    expect(solo.done("work", worked(BAD))).toEqual(["untimer limit", "row step.retrying", "timer 1000"]);
    solo.fire("backoff");
    expect(solo.done("work", worked(BAD))).toEqual(["untimer limit", "row step.completed"]);
  });

  it("prepares a container again without asking", () => {
    expect(cut(forEach("each", [])).tell(resume("ask"))).toEqual(["row step.retrying", "spawn prepare prepare"]);
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
    expect(again.done("permission", { outcome: "selected", option: "rerun" })).toEqual([
      "row step.retrying",
      "spawn work work",
    ]);

    const stop = cut(command("work"));
    stop.tell(resume("ask"));
    expect(stop.done("permission", { outcome: "selected", option: "fail" })).toEqual(["row step.completed"]);
    expect(stop.output).toMatchObject({ outcome: { status: "failed", error: { code: "EXECUTION.STEP.INTERRUPTED" } } });
  });

  it("keeps waiting without an answer, and lets the next resume answer", () => {
    const solo = cut(command("work"));
    solo.tell(resume("ask"));
    expect(solo.tell(resume("rerun"))).toEqual(["tell all resume.requested"]);
    expect(solo.done("permission", { outcome: "cancelled" })).toEqual([]);
    expect(solo.value).toBe("interrupted");
    expect(solo.tell(resume("rerun"))).toEqual(["row step.retrying", "spawn work work"]);
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

  it("begins the attempt that it waited for only when the run is resumed", () => {
    const waiting = () => {
      const solo = step(command("work", { retry: retry(), recover: "fail" }));
      solo.done("work", worked(BAD));
      expect(solo.tell({ type: "owner.lost" })).toEqual(["untimer backoff"]);
      expect(solo.value).toBe("held");
      return solo;
    };
    const again = waiting();
    expect(again.tell(resume("ask"))).toEqual(["spawn work work"]);
    expect((again.input("work") as WorkInput).attempt).toBe(2);
    again.done("work", worked(BAD));
    again.fire("backoff");
    expect(again.done("work", worked(BAD))).toEqual(["untimer limit", "row step.completed"]);

    const stopped = waiting();
    expect(stopped.tell(cancel)).toEqual(["row step.completed"]);
    expect(stopped.output).toEqual(settled(STOPPED, { work: result(STOPPED) }));
  });

  it("passes the loss of its process on to what runs inside", () => {
    const solo = step(parallel("fan", ["a"]), { nodes: nodesOf(command("a")) });
    expect(solo.tell({ type: "owner.lost" })).toEqual(["untimer limit", "tell all owner.lost"]);
    expect(solo.value).toEqual({ attempting: "containing" });
  });

  it("runs the hooks after the step where the step is not repeated", () => {
    const solo = cut(command("work", { recover: "fail", hooks: { pre: [], post: [{ log: "after" }] } }));
    expect(solo.tell(resume("ask"))).toEqual(["spawn hooks hooks"]);
    expect(solo.done("hooks", { fault: null })).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: { error: { code: "EXECUTION.STEP.INTERRUPTED" } } });
  });
});

describe("a crash while a time limit ends the step (I3 of step/stopping.ts)", () => {
  const lost = { type: "owner.lost" };
  const ended = (node: StepNode) => {
    const solo = step(node);
    solo.fire("limit");
    expect(solo.tell(lost)).toEqual(["untimer cancelLimit", "tell all owner.lost"]);
    expect(solo.fail("work", CRASH)).toEqual([]);
    expect(solo.value).toBe("unjudged");
    return solo;
  };

  it("lets nothing begin by itself: another attempt waits for a resume", () => {
    const solo = ended(command("work", { timeoutMs: 5_000, retry: retry({ jitter: 1 }) }));
    expect(solo.tell(resume("ask"))).toEqual(["row step.retrying", "timer 1000"]);
  });
  it("lets the verdict stand", () => {
    const solo = ended(command("work", { timeoutMs: 5_000 }));
    expect(solo.tell(resume("ask"))).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: { status: "failed", exitCode: 124 } });
  });
  it("yields to a cancel", () => {
    const solo = ended(command("work", { timeoutMs: 5_000, retry: retry() }));
    expect(solo.tell(cancel)).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });
  it("ends what a crash has cut off below it when it is resumed", () => {
    const solo = step(parallel("fan", ["a"], { timeoutMs: 10 }), { nodes: nodesOf(command("a")) });
    solo.fire("limit");
    solo.tell(lost);
    expect(solo.tell(resume("ask"))).toEqual(["tell all resume.requested", "tell all cancel.requested"]);
    expect(solo.value).toBe("stopping");
  });
});
