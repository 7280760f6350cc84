/** A step from its first row to its last: its work, its attempts, a cancel, and the hooks after it. */
import { describe, expect, it } from "vitest";
import type { ParallelInput, StepInput, WorkInput } from "../../machines/contracts.ts";
import { CANCEL_LIMIT_MS } from "../../machines/step/context.ts";
import { stepMachine } from "../../machines/step-machine.ts";
import type { StepNode } from "../../machines/workflow/document.ts";
import {
  agent,
  BAD,
  command,
  nodesOf,
  OK,
  ORIGIN,
  parallel,
  result,
  retry,
  SCOPE,
  STOPPED,
  settled,
  stepBirth,
  worked,
} from "../support/documents.ts";
import { brief, cancel, resume, Solo } from "../support/machine.ts";

const step = (node: StepNode, more: Partial<StepInput> = {}) => new Solo(stepMachine, "step/1", stepBirth(node, more));
const all = (solo: Solo) => solo.effects.map(brief);

describe("work", () => {
  it("goes from its first row to its last, and reports the result to its owner", () => {
    const solo = step(command("work", { description: "The work" }));
    expect(solo.done("work", worked(OK, "out"))).toEqual(["untimer limit", "row step.completed"]);
    expect(all(solo)).toEqual(["row step.started", "spawn work work", "untimer limit", "row step.completed"]);
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

  it("gives its work the attempt and the conversation to continue", () => {
    const node = agent("work", { conversation: { continueFrom: "before" } });
    const scope = { ...SCOPE, states: { before: { ...result(OK), Conversation: "c1" } } };
    const solo = step(node, { scope });
    expect(solo.input("work")).toEqual({
      origin: { run: "r1", step: "work", session: "s1", parallel: false, depth: 0 },
      node,
      scope,
      attempt: 1,
      conversation: "c1",
      said: null,
    });
  });

  it("reports a failure of the effect itself as a failed step", () => {
    const solo = step(command("work"));
    expect(solo.fail("work", { code: "SYSTEM.IO.READ_FAILED", message: "gone" })).toEqual([
      "untimer limit",
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
  it("waits, counts, and starts again until no attempt is left", () => {
    const solo = step(command("work", { retry: retry({ backoff: "exponential" }) }));
    solo.done("work", worked(BAD));
    solo.fire("backoff");
    solo.done("work", worked(BAD));
    solo.fire("backoff");
    solo.done("work", worked(BAD));
    expect(all(solo)).toEqual([
      "row step.started",
      "spawn work work",
      "untimer limit",
      "row step.retrying",
      "timer 1000",
      "untimer backoff",
      "spawn work work",
      "untimer limit",
      "row step.retrying",
      "timer 2000",
      "untimer backoff",
      "spawn work work",
      "untimer limit",
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

  it("names the exit code where the failure came without words", () => {
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

  it("gives each later attempt of a container its own paths", () => {
    const solo = step(parallel("fan", ["a"], { retry: retry() }), { nodes: nodesOf(command("a")) });
    expect((solo.input("child") as ParallelInput).origin.step).toBe("work");
    solo.done("child", settled(BAD));
    solo.fire("backoff");
    expect((solo.input("child") as ParallelInput).origin.step).toBe("work@2");
  });
});

describe("cancel", () => {
  it("waits for the work, however that ends (I3)", () => {
    for (const end of ["done", "fail"] as const) {
      const solo = step(command("work", { retry: retry() }));
      expect(solo.tell(cancel)).toEqual(["untimer limit", "tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
      expect(solo.tell(cancel)).toEqual(["tell all cancel.requested"]);
      expect(end === "done" ? solo.done("work", worked(OK, "late")) : solo.fail("work")).toEqual([
        "untimer cancelLimit",
        "row step.completed",
      ]);
      expect(solo.output).toEqual(settled(STOPPED, { work: result(STOPPED, end === "done" ? "late" : "") }));
    }
  });
  it("ends at its limit when the work does not", () => {
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

describe("hooks after", () => {
  const hooks = { pre: [], post: [{ log: "after" }] };
  const FAULT = { code: "EXECUTION.HOOK.FAILED", message: "no" };

  it.each([
    ["completed", OK],
    ["failed", BAD],
  ] as const)("run before the last row of a step that %s, and do not change its end", (_, outcome) => {
    for (const end of ["well", "badly", "broken"]) {
      const solo = step(command("work", { hooks }));
      expect(solo.done("work", worked(outcome, "said"))).toEqual(["untimer limit", "spawn hooks hooks"]);
      expect(solo.value).toEqual({ closing: "hooking" });
      const scope = { ...SCOPE, states: { work: result(outcome, "said") } };
      expect(solo.input("hooks")).toEqual({ origin: ORIGIN, hooks: hooks.post, scope, stopAtFailure: false });
      const effects =
        end === "broken" ? solo.fail("hooks", FAULT) : solo.done("hooks", { fault: end === "badly" ? FAULT : null });
      expect(effects).toEqual(["row step.completed"]);
      expect(solo.output).toMatchObject({ outcome });
    }
  });

  it("run again once it is resumed where a crash cut them off: no run goes on by itself", () => {
    const solo = step(command("work", { hooks }));
    solo.done("work", worked(OK));
    expect(solo.fail("hooks")).toEqual([]);
    expect(solo.value).toEqual({ closing: "unhooked" });
    expect(solo.tell(resume("ask"))).toEqual(["spawn hooks hooks"]);
    expect(solo.done("hooks", { fault: null })).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: OK });
  });

  it("do not run again where it is cancelled after a crash", () => {
    const solo = step(command("work", { hooks }));
    solo.done("work", worked(OK));
    solo.fail("hooks");
    expect(solo.tell(cancel)).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });

  it("run after the last attempt only", () => {
    const solo = step(command("work", { hooks, retry: retry() }));
    expect(solo.done("work", worked(BAD))).toEqual(["untimer limit", "row step.retrying", "timer 1000"]);
    solo.fire("backoff");
    expect(solo.done("work", worked(OK))).toEqual(["untimer limit", "spawn hooks hooks"]);
  });

  it("do not run after a cancel", () => {
    const solo = step(command("work", { hooks }));
    solo.tell(cancel);
    expect(solo.done("work", worked(OK))).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });

  it("yield to a cancel, and the step waits for them (I1)", () => {
    const solo = step(command("work", { hooks }));
    solo.done("work", worked(OK));
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
    expect(solo.done("hooks", { fault: null })).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });
});
