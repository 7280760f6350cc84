import { describe, expect, it } from "vitest";
import type { EventObject } from "xstate";
import { MOST_TOLD } from "../../../machines/step/guidance.ts";
import { stepMachine } from "../../../machines/step-machine.ts";
import { agent, BAD, OK, retry, stepBirth, worked } from "../../support/documents.ts";
import { CRASH, resume, Solo } from "../../support/machine.ts";

const given = (tell: string, text: string) => ({ type: "guidance.given", tell, text });
const working = (more: object = {}) => new Solo(stepMachine, "step/1", stepBirth(agent("work", more)));
const heard = (tell: string): EventObject & { tell: string } => ({ type: "work.heard", tell });
const noted = { type: "work.noted", conversation: "c1" };
const rows = (solo: Solo) => solo.effects.flatMap((effect) => (effect.do === "append" ? [effect.row] : []));

describe("what a person says to a step whose agent works", () => {
  it("is in the log and reaches the work at once; an agent that heard it does not get it again (I1, I2)", () => {
    const solo = working();
    solo.tell(noted);
    expect(solo.tell({ type: "work.listens" })).toEqual([]);
    expect(solo.tell(given("t1", "use tabs"))).toEqual(["row message.user", "tell work work.told"]);
    const row: object = {
      type: "message.user",
      run: "r1",
      step: "work",
      payload: { tell: "t1", reach: "now", blocks: [{ type: "text", text: "use tabs" }] },
    };
    expect(rows(solo)).toContainEqual(row);
    solo.tell(heard("t1"));
    expect(solo.done("work", worked(OK))).toEqual(["untimer limit", "row step.completed"]);
  });

  it("is a turn of its own where the agent ends before it has heard it (I2)", () => {
    const solo = working();
    solo.tell(noted);
    solo.tell(given("t1", "use tabs"));
    expect(rows(solo).at(-1)?.payload).toMatchObject({ reach: "next turn" });
    expect(solo.done("work", worked(OK))).toContain("spawn work work");
    expect(solo.input("work")).toMatchObject({ said: "use tabs", conversation: "c1", attempt: 2 });
    expect(solo.input("work")).not.toHaveProperty("added");
    expect(solo.done("work", worked(OK))).toEqual(["untimer limit", "row step.completed"]);
  });

  it("follows the prompt of the next attempt, once, after a crash too (I1)", () => {
    const solo = working({ recover: "rerun" });
    solo.tell(noted);
    solo.tell(given("t1", "use tabs"));
    solo.fail("work", CRASH);
    solo.tell(resume("rerun"));
    expect(solo.input("work")).toMatchObject({ said: null, added: ["use tabs"], conversation: "c1" });
    expect(solo.done("work", worked(OK))).toEqual(["untimer limit", "row step.completed"]);
  });

  it("does not follow the words of a repair in a conversation that has it (I2)", () => {
    const bad = { ...worked(BAD), repair: "mend it" };
    const solo = working({ recover: "rerun", repair: 2 });
    solo.tell(given("t1", "use tabs"));
    solo.fail("work", CRASH);
    solo.tell(resume("rerun"));
    solo.done("work", bad);
    expect(solo.input("work")).toMatchObject({ added: ["use tabs"], repair: "mend it", conversation: null });
    solo.tell(noted);
    solo.done("work", bad);
    expect(solo.input("work")).toMatchObject({ attempt: 4, repair: "mend it", conversation: "c1" });
    expect(solo.input("work")).not.toHaveProperty("added");
  });

  it("is kept while the step waits for its next attempt", () => {
    const solo = working({ retry: retry({ maxAttempts: 2 }) });
    solo.done("work", worked(BAD));
    expect(solo.value).toBe("backing off");
    solo.tell(given("t1", "use tabs"));
    solo.fire("backoff");
    expect(solo.input("work")).toMatchObject({ added: ["use tabs"] });
  });

  it("is reported in the log where its agent never got it (I3)", () => {
    const solo = working();
    solo.tell(given("t1", "use tabs"));
    expect(solo.done("work", worked(BAD))).toEqual(["untimer limit", "row notice", "row step.completed"]);
  });

  it("is refused where too much waits", () => {
    const solo = working();
    for (let n = 1; n <= MOST_TOLD; n++) solo.tell(given(`t${n}`, "more"));
    expect(solo.tell(given("x", "more"))).toEqual([]);
  });
});
