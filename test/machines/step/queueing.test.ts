/** A step whose provider lets nobody in: `machines/step/queueing.ts`, by its invariants. */
import { describe, expect, it } from "vitest";
import { MOST_WAITS } from "../../../machines/step/queueing.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import type { AgentNode } from "../../../machines/workflow/document.ts";
import { agent, BAD, retry, stepBirth, worked } from "../../support/documents.ts";
import { CRASH, cancel, resume, Solo } from "../../support/machine.ts";

const fault = { code: "EXECUTION.AGENT.RATE_LIMIT", message: "too many" };
const turnedAway = { ...worked({ status: "failed", exitCode: 1, error: fault }), limited: true };
const step = (more: Partial<AgentNode> = {}) => new Solo(stepMachine, "step/1", stepBirth(agent("work", more)));

describe("a step that its provider turns away", () => {
  it("waits to be let in, outside its time limit, and uses up no retry (I2)", () => {
    const solo = step({ timeoutMs: 5_000, retry: retry({ maxAttempts: 2 }) });
    expect(solo.done("work", turnedAway)).toEqual(["untimer limit", "spawn admit admit"]);
    expect(solo.value).toBe("queueing");
    expect(solo.done("admit", null)).toEqual(["timer 5000", "spawn work work"]);
    expect(solo.input("work")).toMatchObject({ attempt: 2 });
    expect(solo.done("work", worked(BAD))).toEqual(["untimer limit", "row step.retrying", "timer 1000"]);
    solo.fire("backoff");
    expect(solo.done("work", worked(BAD)).at(-1)).toBe("row step.completed");
  });

  it("goes on with the next entry of its fallback instead, and waits where there is none (I1)", () => {
    const solo = step({ fallback: [{ provider: "other" }] });
    expect(solo.done("work", turnedAway)).toEqual(["untimer limit", "row notice", "spawn work work"]);
    expect(solo.input("work")).toMatchObject({ instead: { provider: "other" } });
    expect(solo.done("work", turnedAway).at(-1)).toBe("spawn admit admit");
  });

  it("uses up no turn of a budget (I2)", () => {
    const solo = step({ budget: { limits: { agentTurns: 1 } } });
    solo.done("weigh", { reached: null, near: [] });
    expect(solo.done("work", turnedAway)).toEqual(["untimer limit", "row budget.noted", "spawn admit admit"]);
    expect(solo.rows.at(-1)).toMatchObject({ type: "budget.noted", payload: { is: "held" } });
    expect(solo.done("admit", null).at(-1)).toBe("spawn weigh weigh");
  });

  it("waits at most so often (I3)", () => {
    const solo = step();
    for (let wait = 1; wait <= MOST_WAITS; wait++) {
      solo.done("work", turnedAway);
      solo.done("admit", null);
    }
    expect(solo.done("work", turnedAway).at(-1)).toBe("row step.completed");
    expect(solo.output).toMatchObject({ outcome: { status: "failed", error: fault } });
  });

  it("asks again after a crash, once its run is resumed (I4)", () => {
    const solo = step({ recover: "fail" });
    solo.done("work", turnedAway);
    solo.fail("admit", { ...CRASH, code: "INTERRUPTED" });
    expect(solo.value).toBe("held");
    expect(solo.tell(resume("ask")).at(-1)).toBe("spawn work work");
  });

  it("ends with a cancel while it waits", () => {
    const solo = step();
    solo.done("work", turnedAway);
    expect(solo.tell(cancel)[0]).toBe("tell all cancel.requested");
    solo.fail("admit", { code: "ABORTED", message: "" });
    expect(solo.output).toMatchObject({ outcome: { status: "cancelled" } });
  });
});
