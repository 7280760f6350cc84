import { describe, expect, it } from "vitest";
import type { InputInput } from "../../../machines/ask/parked.ts";
import { CANCEL_LIMIT_MS } from "../../../machines/step/context.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import type { AgentNode } from "../../../machines/workflow/document.ts";
import { agent, BAD, OK, result, retry, STOPPED, settled, stepBirth, worked } from "../../support/documents.ts";
import { brief, CRASH, cancel, resume, Solo } from "../../support/machine.ts";

const talk = (more: Partial<AgentNode> = {}) =>
  new Solo(stepMachine, "step/1", stepBirth(agent("work", { mode: "conversation", ...more })));
const answered = (text: string) => ({ outcome: "answered", text });
const noted = (conversation: string) => ({ type: "work.noted", conversation });
const listening = (more: Partial<AgentNode> = {}) => {
  const solo = talk(more);
  solo.tell(noted("c1"));
  expect(solo.done("work", worked(OK, "one"))).toEqual(["untimer limit", "spawn input input"]);
  expect(solo.value).toBe("listening");
  return solo;
};

describe("a conversation", () => {
  it("continues turn by turn with what is said, and ends with an empty answer", () => {
    const solo = listening();
    expect(solo.input("work")).toMatchObject({ attempt: 1, conversation: null, said: null });
    expect(solo.input("input")).toEqual({ run: "r1", step: "work", session: "s1", prompt: "" } satisfies InputInput);
    for (const [index, words] of ["more", "and more"].entries()) {
      expect(solo.done("input", answered(words))).toEqual(["spawn work work"]);
      expect(solo.input("work")).toMatchObject({ attempt: index + 2, conversation: "c1", said: words });
      expect(solo.done("work", worked(OK, words))).toEqual(["untimer limit", "spawn input input"]);
    }
    expect(solo.done("input", answered(""))).toEqual(["row step.completed"]);
    expect(solo.effects.map(brief)).toEqual([
      "row step.started",
      "spawn work work",
      "untimer limit",
      "spawn input input",
      "spawn work work",
      "untimer limit",
      "spawn input input",
      "spawn work work",
      "untimer limit",
      "spawn input input",
      "row step.completed",
    ]);
    expect(solo.output).toEqual(settled(OK, { work: result(OK, "and more") }));
  });

  it("ends with its hooks, which run once", () => {
    const solo = listening({ hooks: { pre: [], post: [{ log: "after" }] } });
    expect(solo.done("input", answered(""))).toEqual(["spawn hooks hooks"]);
    expect(solo.done("hooks", { fault: null })).toEqual(["row step.completed"]);
  });

  it.each([
    ["was withdrawn", (solo: Solo) => solo.done("input", { outcome: "cancelled" })],
    ["failed", (solo: Solo) => solo.fail("input")],
  ])("ends with what was said last when its question %s", (_, end) => {
    const solo = listening();
    expect(end(solo)).toEqual(["row step.completed"]);
    expect(solo.output).toEqual(settled(OK, { work: result(OK, "one") }));
  });

  it("does not listen after a failure", () => {
    const solo = listening();
    solo.done("input", answered("more"));
    expect(solo.done("work", worked(BAD))).toEqual(["untimer limit", "row step.completed"]);
    expect(solo.output).toMatchObject({ outcome: BAD });
  });

  it("repeats a failed turn with the same words; turns use up no retry", () => {
    const solo = listening({ retry: retry({ maxAttempts: 2 }) });
    solo.done("input", answered("more"));
    solo.done("work", worked(OK));
    solo.done("input", answered("again"));
    expect(solo.done("work", worked(BAD))).toEqual(["untimer limit", "row step.retrying", "timer 1000"]);
    expect(solo.fire("backoff")).toEqual(["untimer backoff", "spawn work work"]);
    expect(solo.input("work")).toMatchObject({ attempt: 4, conversation: "c1", said: "again" });
    expect(solo.done("work", worked(BAD))).toEqual(["untimer limit", "row step.completed"]);
  });

  it("has its time limit for each turn of the agent, and none while a person thinks", () => {
    const solo = talk({ timeoutMs: 5_000 });
    solo.done("work", worked(OK));
    const { length } = solo.effects;
    expect(solo.effects.slice(-2).map(brief)).toEqual(["untimer limit", "spawn input input"]);
    solo.done("input", answered("more"));
    expect(solo.effects.slice(length).map(brief)).toEqual(["timer 5000", "spawn work work"]);
  });

  it("withdraws its question on a cancel", () => {
    const solo = listening();
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested", `timer ${CANCEL_LIMIT_MS}`]);
    expect(solo.done("input", { outcome: "cancelled" })).toEqual(["untimer cancelLimit", "row step.completed"]);
    expect(solo.output).toEqual(settled(STOPPED, { work: result(STOPPED) }));
  });

  it("an answer that was on its way does not change a cancel (I3)", () => {
    const solo = listening();
    solo.tell(cancel);
    solo.done("input", answered("more"));
    expect(solo.output).toMatchObject({ outcome: STOPPED });
  });

  it("keeps listening over a crash and a resume", () => {
    const solo = listening();
    for (const event of [{ type: "owner.lost" }, resume("rerun")]) expect(solo.tell(event)).toEqual([]);
    expect(solo.done("input", answered("more"))).toEqual(["spawn work work"]);
  });

  it("repeats a turn that a crash cut off, with the same words", () => {
    const solo = listening();
    solo.done("input", answered("more"));
    solo.fail("work", CRASH);
    expect(solo.value).toBe("interrupted");
    solo.tell(resume("rerun"));
    expect(solo.input("work")).toMatchObject({ attempt: 3, conversation: "c1", said: "more" });
    expect(solo.done("work", worked(OK))).toEqual(["untimer limit", "spawn input input"]);
  });

  it("does not happen in a step of mode single", () => {
    const solo = talk({ mode: "single" });
    expect(solo.done("work", worked(OK))).toEqual(["untimer limit", "row step.completed"]);
  });
});
