import { describe, expect, it } from "vitest";
import type { Prompt } from "../../machines/contracts.ts";
import { STOPPED } from "../support/documents.ts";
import {
  abandoned,
  asked,
  blocks,
  closed,
  HELP,
  interrupted,
  lost,
  opened,
  parked,
  prompt,
  prompted,
  RUN,
  requested,
  runDone,
  running,
  session,
  TEXT,
} from "../support/lone-session.ts";
import { brief, cancel, type Solo } from "../support/machine.ts";

const UNREADABLE = { type: "unreadable", explanation: HELP } as Prompt["asks"];
const askedAndInterrupted = () => {
  const solo = running();
  solo.tell(opened("input/1"));
  solo.tell(lost);
  solo.done("turn", { stopReason: "cancelled" });
  expect(solo.value).toBe("interrupted");
  return solo;
};

describe("a session", () => {
  it("opens with a row, and serves turn after turn", () => {
    const solo = running();
    expect(solo.done("run", runDone())).toEqual(["tell turn run.settled"]);
    expect(solo.done("turn", { stopReason: "end_turn" })).toEqual([]);
    expect(solo.tell(prompt(HELP, "t2"))).toEqual(["spawn turn turn"]);
    expect(solo.effects.map(brief)).toEqual([
      "row session.opened",
      "spawn turn turn",
      "spawn run run",
      "tell turn run.settled",
      "spawn turn turn",
    ]);
    expect(solo.rows).toEqual([{ type: "session.opened", payload: { cwd: "/project", principal: "u1" } }]);
    expect(solo.input("turn")).toEqual({ turn: "t2", blocks, ask: HELP, session: "s1", cwd: "/project" });
  });

  it("takes no prompt while a turn runs (I1)", () => {
    for (const solo of [prompted(), running(), abandoned()]) {
      expect(solo.can(prompt(RUN, "t2"))).toBe(false);
      expect(solo.tell(prompt(RUN, "t2"))).toEqual([]);
    }
  });

  it("tells the turn when the machine of its run fails", () => {
    const solo = running();
    const error = { code: "X", message: "broken" };
    expect(solo.fail("run", error)).toEqual(["tell turn run.settled"]);
    expect(solo.effects.at(-1)).toEqual({
      do: "send child",
      id: "turn",
      event: { type: "run.settled", settled: { outcome: { status: "failed", exitCode: 4, error }, outputs: {} } },
    });
  });

  it("is free again when the machine of its turn fails", () => {
    const solo = prompted();
    solo.fail("turn", { code: "X", message: "broken" });
    expect(solo.value).toBe("idle");
  });
});

describe("cancel", () => {
  it.each([
    ["idle", session, []],
    ["prompted", prompted, ["tell all cancel.requested"]],
    ["prompted", running, ["tell all cancel.requested"]],
    ["abandoned", abandoned, ["tell all cancel.requested"]],
    ["interrupted", interrupted, ["tell all cancel.requested"]],
    ["parked", parked, ["tell all cancel.requested"]],
  ] as const)("in %s", (state, make, effects) => {
    const solo = make();
    expect(solo.value).toBe(state);
    expect(solo.tell(cancel)).toEqual(effects);
  });
  it("reaches a run that is asked for after it", () => {
    const solo = prompted();
    solo.tell(cancel);
    expect(solo.tell(requested)).toEqual(["spawn run run", "tell run cancel.requested"]);
    solo.done("run", runDone(STOPPED));
    solo.done("turn", { stopReason: "cancelled" });
    solo.tell(prompt(RUN, "t2"));
    expect(solo.tell(requested)).toEqual(["spawn run run"]);
  });
  it("of a parked run closes its questions and frees the session", () => {
    const solo = parked("input/1", "input/2");
    solo.tell(cancel);
    expect(solo.tell(closed("input/1"))).toEqual([]);
    expect(solo.done("run", runDone(STOPPED))).toEqual([]);
    expect(solo.value).toBe("idle");
    solo.tell(prompt(RUN, "t2"));
    solo.tell(requested);
    solo.done("turn", { stopReason: "end_turn" });
    expect(solo.value).toBe("interrupted");
  });
  it("of a run that was cut off frees the session", () => {
    const solo = interrupted();
    solo.tell(cancel);
    expect(solo.done("run", runDone(STOPPED))).toEqual([]);
    expect(solo.value).toBe("idle");
  });
});

describe("a lost owner (I2, I3)", () => {
  it("idle: nothing is lost", () => {
    expect(session().tell(lost)).toEqual([]);
  });
  it("prompted: the turn ends, the run stays until it is resumed", () => {
    const solo = running();
    expect(solo.tell(lost)).toEqual(["tell all owner.lost"]);
    expect(solo.done("turn", { stopReason: "cancelled" })).toEqual([]);
    expect(solo.value).toBe("interrupted");
  });
  it("prompted without a run: none is begun any more", () => {
    const solo = prompted();
    solo.tell(lost);
    expect(solo.tell(requested)).toEqual([]);
    solo.done("turn", { stopReason: "cancelled" });
    expect(solo.value).toBe("idle");
  });
  it.each([
    ["settled", (solo: Solo) => solo.done("run", runDone()), ["tell turn run.settled"]],
    ["failed", (solo: Solo) => solo.fail("run"), []],
  ] as const)("a run that %s meanwhile leaves the session free", (_, end, effects) => {
    const solo = abandoned();
    expect(end(solo)).toEqual(effects);
    solo.done("turn", { stopReason: "cancelled" });
    expect(solo.value).toBe("idle");
  });
});

describe("with an interrupted run", () => {
  it("text resumes it", () => {
    const solo = interrupted();
    expect(solo.tell(prompt(TEXT, "t2"))).toEqual(["spawn turn turn", "tell run resume.requested"]);
    expect(asked(solo)).toEqual({ type: "resume", recover: "ask" });
    solo.done("run", runDone());
    solo.done("turn", { stopReason: "end_turn" });
    expect(solo.value).toBe("idle");
  });
  it("resume brings its own answer", () => {
    const solo = interrupted();
    solo.tell(prompt({ type: "resume", recover: "rerun" }, "t2"));
    expect(solo.effects.at(-1)).toEqual({
      do: "send child",
      id: "run",
      event: { type: "resume.requested", recover: "rerun" },
    });
  });
  it("a command is refused and the run stays", () => {
    const solo = interrupted();
    expect(solo.tell(prompt(RUN, "t2"))).toEqual(["spawn turn turn"]);
    expect(asked(solo)).toMatchObject({ type: "explain", fault: { code: "USER.RUN.INTERRUPTED" } });
    solo.done("turn", { stopReason: "refusal" });
    expect(solo.value).toBe("interrupted");
  });
  it("a command is refused beside a question, too: nothing is answered or resumed", () => {
    const solo = askedAndInterrupted();
    expect(solo.tell(prompt(RUN, "t2"))).toEqual(["spawn turn turn"]);
    expect(asked(solo)).toMatchObject({ type: "explain", fault: { code: "USER.RUN.PARKED" } });
    solo.done("turn", { stopReason: "refusal" });
    expect(solo.value).toBe("interrupted");
  });
  it.each([
    ["with nothing asked", interrupted],
    ["with a question", askedAndInterrupted],
  ])("a prompt that cannot be read is explained, and the run stays (%s)", (_, make) => {
    const solo = make();
    expect(solo.tell(prompt(UNREADABLE, "t2"))).toEqual(["spawn turn turn"]);
    expect(asked(solo)).toEqual(HELP);
    solo.done("turn", { stopReason: "refusal" });
    expect(solo.value).toBe("interrupted");
  });
  it.each([
    ["settled", (solo: Solo) => solo.done("run", runDone())],
    ["failed", (solo: Solo) => solo.fail("run")],
  ])("the session is free once the run has %s by itself", (_, end) => {
    const solo = interrupted();
    end(solo);
    expect(solo.value).toBe("idle");
  });
});
