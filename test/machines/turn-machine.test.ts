/** A turn: a prompt for a run, a prompt for something else, and a cancel in every state. */
import { describe, expect, it } from "vitest";
import type { Intent } from "../../machines/contracts.ts";
import { BAD, OK, STOPPED } from "../support/documents.ts";
import { CRASH, cancel } from "../support/machine.ts";
import { all, BEGUN, blocks, DEMO, end, lost, runAsk, turn, UNBEGUN } from "./turn/lone-turn.ts";

const runSettled = (outcome: typeof OK) => ({ type: "run.settled", settled: { outcome, outputs: {} } });

const FAULT = { error: { code: "EXECUTION.STEP.DENIED", message: "the step was not approved" } };

describe("a prompt for a run", () => {
  it("in a trusted directory asks the session for the run, and ends with it (I1)", () => {
    const solo = turn(runAsk("trusted"));
    expect(solo.tell(runSettled(OK))).toEqual(["row turn.completed"]);
    expect(all(solo)).toEqual([...BEGUN, "send session/s1 run.requested", "row turn.completed"]);
    expect(solo.rows).toEqual([
      { type: "turn.started", payload: { turn: "t1" } },
      { type: "message.user", payload: { turn: "t1", blocks } },
      { type: "turn.completed", payload: { turn: "t1", stopReason: "end_turn" } },
    ]);
    const sent = solo.effects.find((effect) => effect.do === "send");
    expect(sent).toMatchObject({
      event: {
        input: {
          id: "r1",
          workflow: DEMO,
          inputs: { n: 1 },
          session: "s1",
          turn: "t1",
          parentRun: null,
          parallel: false,
          depth: 0,
        },
      },
    });
  });

  it.each([
    ["completed", OK, { turn: "t1", stopReason: "end_turn" }],
    ["failed", BAD, { turn: "t1", stopReason: "end_turn", error: BAD.error }],
    ["stopped by its own gate", { ...STOPPED, ...FAULT }, { turn: "t1", stopReason: "refusal", ...FAULT }],
    ["cancelled", STOPPED, { turn: "t1", stopReason: "cancelled" }],
    ["cancelled, with a reason", { ...STOPPED, ...FAULT }, { turn: "t1", stopReason: "cancelled", ...FAULT }],
    ["completed before its cancel", OK, { turn: "t1", stopReason: "end_turn" }],
  ])("says how it ended: %s (I3)", (how, outcome, payload) => {
    const solo = turn(runAsk("trusted"));
    if (how.includes("cancel")) solo.tell(cancel);
    solo.tell(runSettled(outcome));
    expect(end(solo)).toEqual(payload);
  });

  it("ends when the run waits for a person; the run outlives it", () => {
    const solo = turn(runAsk("trusted"));
    expect(solo.tell({ type: "run.parked" })).toEqual(["row turn.completed"]);
    expect(end(solo)).toEqual({ turn: "t1", stopReason: "end_turn" });
    expect(solo.output).toEqual({ stopReason: "end_turn" });
  });

  it("leaves a cancel to the run", () => {
    const solo = turn(runAsk("trusted"));
    expect(solo.tell(cancel)).toEqual([]);
    expect(solo.value).toBe("cancelling");
    expect(solo.tell(cancel)).toEqual([]);
    expect(solo.tell({ type: "run.parked" })).toEqual(["row turn.completed"]);
    expect(end(solo)).toEqual({ turn: "t1", stopReason: "cancelled" });
  });
});

describe("a prompt for something else", () => {
  it("is explained in words", () => {
    const fault = { code: "USER.COMMAND.UNKNOWN", message: "no such command" };
    const solo = turn({ type: "explain", text: "No such command.", stopReason: "refusal", fault });
    expect(all(solo)).toEqual([...BEGUN, "row message.assistant", "row turn.completed"]);
    expect(solo.rows[2]?.payload).toEqual({ block: "t1#explanation", offset: 0, text: "No such command." });
    expect(end(solo)).toEqual({ turn: "t1", stopReason: "refusal", error: fault });
    expect(solo.output).toEqual({ stopReason: "refusal" });
  });
  it.each([
    ["continues a run that was cut off", { type: "resume", recover: "ask" }],
    ["answers a run that waits", { type: "answer", text: "more" }],
  ] as [string, Intent][])("%s", (_, ask) => {
    const solo = turn(ask);
    expect(all(solo)).toEqual(BEGUN);
    solo.tell(runSettled(OK));
    expect(solo.output).toEqual({ stopReason: "end_turn" });
  });
});

describe("cancel and a lost owner in every state", () => {
  const asking = () => turn(runAsk("ask"));
  const granting = () => {
    const solo = asking();
    solo.done("permission", { outcome: "selected", option: "trust" });
    return solo;
  };
  const running = () => turn(runAsk("trusted"));
  const cancelling = () => {
    const solo = running();
    solo.tell(cancel);
    return solo;
  };
  const ENDED = [...UNBEGUN, "stop trust"];
  it.each([
    ["asking", asking, cancel, ["tell all cancel.requested"], null],
    ["asking", asking, lost, ["tell all cancel.requested"], null],
    ["granting", granting, cancel, ENDED, "EXECUTION.RUN.CANCELLED"],
    ["granting", granting, lost, ENDED, "SYSTEM.PROCESS.LOST"],
    ["running", running, cancel, [], null],
    ["running", running, lost, ["row turn.completed"], "SYSTEM.PROCESS.LOST"],
    ["cancelling", cancelling, lost, ["row turn.completed"], "SYSTEM.PROCESS.LOST"],
  ] as const)("%s", (state, make, event, effects, payload) => {
    const solo = make();
    expect(solo.value).toBe(state);
    expect(solo.tell(event)).toEqual(effects);
    expect(solo.status).toBe(payload === null ? "active" : "done");
    if (payload !== null) expect(end(solo)).toMatchObject({ stopReason: "cancelled", error: { code: payload } });
  });
  it("trust that a crash cut off while it was granted starts nothing", () => {
    const solo = granting();
    solo.fail("trust", CRASH);
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "INTERRUPTED" } });
  });
});
