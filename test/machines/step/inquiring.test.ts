import { describe, expect, it } from "vitest";
import { type AskField, opened } from "../../../machines/ask/form.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import { ask, stepBirth } from "../../support/documents.ts";
import { cancel, resume, Solo } from "../../support/machine.ts";

const field = (name: string): AskField => ({
  name,
  prompt: `${name}?`,
  type: "string",
  required: true,
  validation: {},
});
const FORM = opened([field("first"), field("second")], null);
const said = (text: string) => ({ outcome: "answered", text });
const asking = () => {
  const solo = new Solo(stepMachine, "step/1", stepBirth(ask("work", [])));
  expect(solo.done("prepare", { type: "form", form: FORM })).toEqual(["untimer limit", "spawn input input"]);
  return solo;
};

describe("the questions of an ask step", () => {
  it("come one after the other, and end with what was answered", () => {
    const solo = asking();
    expect(solo.input("input")).toMatchObject({ prompt: "(1 of 2) first?", form: FORM });
    expect(solo.done("input", said("a"))).toEqual(["spawn input input"]);
    expect(solo.input("input")).toMatchObject({ form: { at: 1, answers: { first: "a" } } });
    expect(solo.done("input", said("b"))).toEqual(["row step.completed"]);
    expect(solo.output).toMatchObject({
      outcome: { status: "completed" },
      states: {
        work: { Output: '{"first":"a","second":"b"}', JSON: { first: "a", second: "b" }, Status: "completed" },
      },
    });
  });

  it("continue after a crash, not from the beginning (I1)", () => {
    const solo = asking();
    solo.done("input", said("a"));
    expect([solo.tell({ type: "owner.lost" }), solo.tell(resume("ask"))]).toEqual([[], []]);
    expect(solo.value).toBe("inquiring");
    solo.done("input", said("b"));
    expect(solo.output).toMatchObject({ states: { work: { JSON: { first: "a", second: "b" } } } });
  });

  it("are not asked where they could not be rendered", () => {
    const solo = new Solo(stepMachine, "step/1", stepBirth(ask("work", [])));
    solo.fail("prepare", { code: "WORKFLOW.ASK.BAD_QUESTION", message: "no" });
    expect(solo.output).toMatchObject({ outcome: { status: "failed", error: { code: "WORKFLOW.ASK.BAD_QUESTION" } } });
  });

  it("end with a cancel, after the question has ended", () => {
    const solo = asking();
    expect(solo.tell(cancel)).toEqual(["tell all cancel.requested"]);
    solo.done("input", { outcome: "cancelled" });
    expect(solo.output).toMatchObject({ outcome: { status: "cancelled" } });
  });

  it("end with the fault of a question that fails", () => {
    const solo = asking();
    solo.fail("input", { code: "X.Y.Z", message: "no" });
    expect(solo.output).toMatchObject({ outcome: { status: "failed", error: { code: "X.Y.Z" } } });
  });
});
