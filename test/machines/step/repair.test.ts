import { describe, expect, it } from "vitest";
import { stepMachine } from "../../../machines/step-machine.ts";
import type { AgentNode, StepNode } from "../../../machines/workflow/document.ts";
import { agent, BAD, command, OK, retry, stepBirth, worked } from "../../support/documents.ts";
import { CRASH, resume, Solo } from "../../support/machine.ts";

const schema = { schema: { type: "object" } };
const step = (node: StepNode) => new Solo(stepMachine, "step/1", stepBirth(node));
const reviewer = (more: Partial<AgentNode> = {}) => {
  const solo = step(agent("work", { outputSchema: schema, ...more }));
  solo.tell(noted);
  return solo;
};
const fault = { code: "EXECUTION.STEP.INVALID_SHAPE", message: "$.a is missing" };
const noted = { type: "work.noted", conversation: "c1" };
const misfit = (words = "mend it") => ({
  ...worked({ status: "failed", exitCode: 1, error: fault }),
  repair: words,
});

describe("an answer that does not fit", () => {
  it("goes back to the same conversation twice, then the step fails", () => {
    const solo = reviewer();
    for (const made of [1, 2]) {
      expect(solo.done("work", misfit(`mend ${made}`))).toEqual(["untimer limit", "row notice", "spawn work work"]);
      expect(solo.input("work")).toMatchObject({ attempt: made + 1, conversation: "c1", repair: `mend ${made}` });
      expect(solo.rows.at(-1)).toMatchObject({
        type: "notice",
        payload: { severity: "warning", code: fault.code, message: expect.stringContaining(`(${made} of 2)`) },
      });
    }
    expect(solo.done("work", misfit())).toEqual(["untimer limit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: { status: "failed", error: fault } });
  });

  it("that was mended is the step's result, with nothing of the repair in it", () => {
    const solo = reviewer();
    solo.done("work", misfit());
    expect(solo.done("work", worked(OK, "{}"))).toEqual(["untimer limit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: OK });
  });

  it("goes back as often as the step says; a retry counts anew", () => {
    const solo = reviewer({ repair: 1, retry: retry({ maxAttempts: 2 }) });
    solo.done("work", misfit());
    expect(solo.done("work", misfit())).toEqual(["untimer limit", "row step.retrying", "timer 1000"]);
    solo.fire("backoff");
    expect(solo.input("work")).not.toHaveProperty("repair");
    expect(solo.done("work", misfit())).toEqual(["untimer limit", "row notice", "spawn work work"]);
    expect(solo.done("work", misfit())).toEqual(["untimer limit", "row step.completed"]);
    expect(
      step(agent("work", { outputSchema: schema, repair: 0 }))
        .done("work", misfit())
        .at(-1),
    ).toBe("row step.completed");
  });

  it("of a command fails at once, as does a failure of another kind", () => {
    expect(step(command("work")).done("work", misfit())).toEqual(["untimer limit", "row step.completed"]);
    expect(reviewer().done("work", worked(BAD))).toEqual(["untimer limit", "row step.completed"]);
  });

  it("goes back again after a crash in the middle of the repair", () => {
    const solo = reviewer({ recover: "rerun" });
    solo.done("work", misfit("first"));
    solo.fail("work", { ...CRASH, code: "INTERRUPTED" });
    expect(solo.value).toBe("interrupted");
    solo.tell(resume("rerun"));
    expect(solo.input("work")).toMatchObject({ attempt: 3, conversation: "c1", repair: "first" });
    expect(solo.done("work", misfit("second")).at(1)).toBe("row notice");
    expect(solo.done("work", misfit())).toEqual(["untimer limit", "row step.completed"]);
  });
});
