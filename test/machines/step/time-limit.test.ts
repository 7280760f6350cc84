/** The time that a step may take. */
import { describe, expect, it } from "vitest";
import type { StepInput } from "../../../machines/contracts.ts";
import type { Settled } from "../../../machines/model.ts";
import { CANCEL_LIMIT_MS } from "../../../machines/step/context.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import type { StepNode } from "../../../machines/workflow/document.ts";
import {
  agent,
  command,
  nodesOf,
  OK,
  operation,
  parallel,
  result,
  retry,
  STOPPED,
  settled,
  stepBirth,
  worked,
} from "../../support/documents.ts";
import { brief, cancel, resume, Solo } from "../../support/machine.ts";

const step = (node: StepNode, more: Partial<StepInput> = {}) => new Solo(stepMachine, "step/1", stepBirth(node, more));
const all = (solo: Solo) => solo.effects.map(brief);

describe("time limit", () => {
  it("stops the work, waits for it, and does not change its verdict (I1, I3)", () => {
    const solo = step(command("work", { timeoutMs: 5_000 }));
    expect(all(solo)).toEqual(["row step.started", "timer 5000", "spawn work work"]);
    expect(solo.fire("limit")).toEqual(["untimer limit", "tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
    expect(solo.done("work", worked(OK))).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toMatchObject({
      outcome: { status: "failed", exitCode: 124, error: { code: "EXECUTION.COMMAND.TIMEOUT" } },
    });
  });

  it("keeps the output until then; its message is the error, not Stderr", () => {
    const solo = step(command("work", { timeoutMs: 5_000 }));
    solo.fire("limit");
    const { state, ...rest } = worked(STOPPED, "out");
    solo.done("work", { ...rest, state: { ...state, Stderr: "err" } });
    const left = { Output: "out", Stderr: "err", ExitCode: 124, Status: "failed" };
    expect(solo.output).toMatchObject({ outcome: { exitCode: 124 }, states: { work: left } });
    const deaf = step(command("work", { timeoutMs: 5_000 }));
    deaf.fire("limit");
    deaf.fire("cancelLimit");
    expect(deaf.output).toMatchObject({ states: { work: { ...left, Output: "", Stderr: "" } } });
  });

  const LATE = "the step did not end within its time limit";
  it("of a container keeps the results of states below that had ended; its Stderr says why it failed", () => {
    const solo = step(parallel("fan", ["a", "b"], { timeoutMs: 10 }), { nodes: nodesOf(command("a"), command("b")) });
    solo.fire("limit");
    solo.done("child", settled(STOPPED, { a: result(OK, "1"), b: result(STOPPED) }));
    expect(solo.output).toMatchObject({
      outcome: { status: "failed", exitCode: 124 },
      states: { a: result(OK, "1"), b: result(STOPPED), fan: { ExitCode: 124, Status: "failed", Stderr: LATE } },
    });
    const deaf = step(agent("work", { timeoutMs: 5_000 }));
    deaf.fire("limit");
    deaf.fire("cancelLimit");
    const { outcome, states } = deaf.output as Settled;
    expect(states).toMatchObject({ work: { ExitCode: 124, Status: "failed", Stderr: outcome.error?.message } });
    expect(outcome.error?.message).toMatch(/time limit/);
  });

  it("is reported as a failure of what the step does", () => {
    for (const [node, code] of [
      [command("work", { timeoutMs: 5_000 }), "EXECUTION.COMMAND.TIMEOUT"],
      [agent("work", { timeoutMs: 5_000 }), "EXECUTION.AGENT.TIMEOUT"],
      [operation("work", { timeoutMs: 5_000 }), "EXECUTION.OPERATION.TIMEOUT"],
    ] as const) {
      const solo = step(node);
      solo.fire("limit");
      solo.fire("cancelLimit");
      expect(solo.output).toMatchObject({ outcome: { exitCode: 124, error: { code } } });
    }
  });

  it("stands still while the step waits for people alone, and starts anew afterwards (I5)", () => {
    const solo = step(parallel("fan", ["a"], { timeoutMs: 10 }), { nodes: nodesOf(command("a")) });
    for (const [stops, starts] of [
      [{ type: "run.rested" }, { type: "run.woken" }],
      [{ type: "owner.lost" }, resume("ask")],
    ] as const) {
      expect(solo.tell(stops)).toEqual(["untimer limit", `tell all ${stops.type}`]);
      expect(solo.tell(starts)).toEqual(["timer 10", `tell all ${starts.type}`]);
    }
  });

  it("gives up on work that ignores it", () => {
    const solo = step(command("work", { timeoutMs: 5_000, retry: retry() }));
    solo.fire("limit");
    expect(solo.fire("cancelLimit")).toEqual(["untimer cancelLimit", "row step.completed", "stop work"]);
    expect(solo.output).toMatchObject({ outcome: { status: "failed", exitCode: 124 } });
  });

  it("covers one attempt; a retry follows it", () => {
    const solo = step(command("work", { timeoutMs: 5_000, retry: retry({ jitter: 1 }) }));
    solo.fire("limit");
    expect(solo.fail("work")).toEqual(["untimer cancelLimit", "row step.retrying", "timer 1000"]);
    expect(solo.fire("backoff")).toEqual(["untimer backoff", "timer 5000", "spawn work work"]);
  });

  it("yields to a cancel", () => {
    const solo = step(command("work", { timeoutMs: 5_000 }));
    solo.fire("limit");
    expect(solo.tell(cancel)).toEqual(["untimer cancelLimit", "tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
    solo.done("work", worked(OK));
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });

  it("stops a container without a cancel limit: the steps below have their own", () => {
    const solo = step(parallel("fan", ["a"], { timeoutMs: 10 }), { nodes: nodesOf(command("a")) });
    expect(solo.fire("limit")).toEqual(["untimer limit", "tell all cancel.requested"]);
  });
});
