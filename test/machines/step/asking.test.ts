import { describe, expect, it } from "vitest";
import type { PermissionQuestion } from "../../../machines/contracts.ts";
import { CANCEL_LIMIT_MS, MOST_ASKS } from "../../../machines/step/context.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import { agent, BAD, OK, retry, stepBirth, worked } from "../../support/documents.ts";
import { brief, CRASH, cancel, resume, Solo } from "../../support/machine.ts";

const QUESTION: PermissionQuestion = {
  title: "May the agent use Bash (execute)?",
  kind: "execute",
  message: "",
  options: [{ id: "yes", name: "Yes", kind: "allow_once" }],
  input: { command: "ls" },
  timeoutMs: null,
};
const YES = { outcome: "selected", option: "yes" };
const NO_ANSWER = { outcome: "cancelled" };
const asked = (ask: string) => ({ type: "work.asked", ask, question: QUESTION });
const withdrew = (ask: string) => ({ type: "work.withdrew", ask });
const working = (more: object = {}) => new Solo(stepMachine, "step/1", stepBirth(agent("work", more)));
const sent = (solo: Solo) => solo.effects.flatMap((effect) => (effect.do === "send child" ? [effect] : []));

describe("a question of running work", () => {
  it("is a child beside the work, and its answer goes to the work (I4)", () => {
    const solo = working();
    expect(solo.tell(asked("1.1"))).toEqual(["spawn permission ask.1.1"]);
    expect(solo.input("ask.1.1")).toEqual({ ...QUESTION, run: "r1", step: "work", session: "s1" });
    expect(solo.running).toEqual(["work", "ask.1.1"]);
    expect(solo.done("ask.1.1", YES)).toEqual(["tell work work.answered"]);
    expect(sent(solo)).toEqual([
      { do: "send child", id: "work", event: { type: "work.answered", ask: "1.1", settled: YES } },
    ]);
    expect(solo.value).toEqual({ attempting: "working" });
    expect(solo.done("work", worked(OK))).toEqual(["untimer limit", "row step.completed"]);
  });

  it("may be one of several, answered in any order", () => {
    const solo = working();
    for (const ask of ["1.1", "1.2"]) solo.tell(asked(ask));
    solo.done("ask.1.2", YES);
    solo.done("ask.1.1", NO_ANSWER);
    expect(sent(solo).map(({ event }) => event)).toEqual([
      { type: "work.answered", ask: "1.2", settled: YES },
      { type: "work.answered", ask: "1.1", settled: NO_ANSWER },
    ]);
  });

  it("counts as unanswered when its machine fails", () => {
    const solo = working();
    solo.tell(asked("1.1"));
    expect(solo.fail("ask.1.1", { code: "X", message: "no" })).toEqual(["tell work work.answered"]);
    expect(sent(solo)[0]?.event).toEqual({ type: "work.answered", ask: "1.1", settled: NO_ANSWER });
  });

  it("is refused where too many are open", () => {
    const solo = working();
    for (let n = 1; n <= MOST_ASKS; n++) expect(solo.tell(asked(`1.${n}`))).toEqual([`spawn permission ask.1.${n}`]);
    expect(solo.tell(asked("1.x"))).toEqual(["tell work work.answered"]);
    expect(sent(solo)[0]?.event).toEqual({ type: "work.answered", ask: "1.x", settled: NO_ANSWER });
    solo.done("ask.1.1", YES);
    expect(solo.tell(asked("1.y"))).toEqual(["spawn permission ask.1.y"]);
  });

  it("is taken back when the work no longer wants it", () => {
    const solo = working();
    solo.tell(asked("1.1"));
    expect(solo.tell(withdrew("1.1"))).toEqual(["tell ask.1.1 cancel.requested"]);
    solo.done("ask.1.1", NO_ANSWER);
    expect(solo.tell(withdrew("1.1"))).toEqual([]);
    expect(solo.tell(withdrew("9"))).toEqual([]);
  });
});

describe("an open question (I4)", () => {
  const open = (more: object = {}) => {
    const solo = working(more);
    solo.tell(asked("1.1"));
    return solo;
  };

  it("is closed before the step ends, where its work did not wait", () => {
    const solo = open();
    expect(solo.done("work", worked(OK))).toEqual(["untimer limit", "tell ask.1.1 cancel.requested"]);
    expect(solo.value).toBe("withdrawing");
    expect(solo.done("ask.1.1", NO_ANSWER)).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: OK });
  });

  it("is closed before the next attempt", () => {
    const solo = open({ retry: retry() });
    solo.done("work", worked(BAD));
    expect(solo.done("ask.1.1", NO_ANSWER)).toEqual(["row step.retrying", "timer 1000"]);
  });

  it("is closed when a crash cuts its work off; the step then waits for a resume", () => {
    const solo = open();
    expect(solo.fail("work", CRASH)).toEqual(["untimer limit", "tell ask.1.1 cancel.requested"]);
    expect(solo.done("ask.1.1", NO_ANSWER)).toEqual([]);
    expect(solo.value).toBe("interrupted");
    expect(solo.tell(resume("rerun"))).toEqual(["row step.retrying", "spawn work work"]);
    expect(solo.running).toEqual(["work"]);
  });

  it("that is being closed is closed by a cancel too", () => {
    const solo = open();
    solo.fail("work", CRASH);
    expect(solo.value).toBe("abandoning");
    expect(solo.tell(cancel)).toEqual(["tell ask.1.1 cancel.requested"]);
    expect(solo.value).toBe("withdrawing");
    expect(solo.done("ask.1.1", NO_ANSWER)).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: { status: "cancelled", exitCode: 130 } });
  });

  it.each(["done first", "answered first"])("is cancelled together with the work: %s", (order) => {
    const solo = open();
    expect(solo.tell(cancel)).toEqual(["untimer limit", "tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
    if (order === "answered first") expect(solo.done("ask.1.1", NO_ANSWER)).toEqual([]);
    const end = solo.done("work", worked(OK));
    if (order === "done first") {
      expect(end).toEqual(["untimer cancelLimit", "tell ask.1.1 cancel.requested"]);
      expect(solo.done("ask.1.1", NO_ANSWER)).toEqual(["row step.completed"]);
    } else expect(end).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: { status: "cancelled" } });
  });

  it("does not change the verdict of a time limit", () => {
    const solo = open({ timeoutMs: 5_000 });
    solo.fire("limit");
    expect(solo.done("ask.1.1", YES)).toEqual([]);
    solo.done("work", worked(OK));
    expect(solo.output).toMatchObject({ outcome: { status: "failed", exitCode: 124 } });
  });

  it("cannot be asked once its work was told to end", () => {
    const solo = working();
    solo.tell(cancel);
    expect(solo.tell(asked("1.1"))).toEqual([]);
    expect(solo.effects.map(brief)).not.toContain("spawn permission ask.1.1");
  });
});
