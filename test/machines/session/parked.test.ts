import { describe, expect, it } from "vitest";
import { CANCELLED } from "../../../machines/run/rows.ts";
import { readSession } from "../../../machines/session/reading.ts";
import {
  abandoned,
  asked,
  closed,
  HELP,
  interrupted,
  lost,
  opened,
  parked,
  prompt,
  prompted,
  quiet,
  RUN,
  runDone,
  running,
  session,
  TEXT,
} from "../../support/lone-session.ts";
import type { Solo } from "../../support/machine.ts";

describe("with a run that waits for a person", () => {
  const text = (words: string, turn = "t2") => ({ ...prompt(TEXT, turn), blocks: [{ type: "text", text: words }] });
  const answer = (solo: Solo) => solo.effects.at(-1);

  it("parks only when nothing else runs", () => {
    for (const make of [session, prompted, abandoned, interrupted, parked]) expect(make().can(quiet)).toBe(false);
    const solo = running();
    solo.tell(opened("input/1"));
    expect(solo.value).toBe("prompted");
    expect(solo.can(prompt(RUN, "t2"))).toBe(false);
    expect(solo.tell(quiet)).toEqual(["tell turn run.parked", "tell run run.rested"]);
    solo.done("turn", { stopReason: "end_turn" });
    expect(solo.value).toBe("parked");
  });

  it("takes no known command for an answer, and keeps waiting", () => {
    const solo = parked();
    expect(solo.tell(prompt(RUN, "t2"))).toEqual(["spawn turn turn"]);
    expect(asked(solo)).toMatchObject({ type: "explain", fault: { code: "USER.RUN.PARKED" } });
    solo.done("turn", { stopReason: "refusal" });
    expect(solo.value).toBe("parked");
    expect(solo.tell(prompt(TEXT, "t3")).at(-1)).toBe("send input/1 input.answered");
  });

  it("takes each next prompt as the answer, whatever else it could mean", () => {
    const solo = parked();
    for (const [index, asks] of [TEXT, HELP].entries()) {
      expect(solo.tell(prompt(asks, `t${index + 2}`))).toEqual([
        "spawn turn turn",
        "tell run run.woken",
        `send input/${index + 1} input.answered`,
      ]);
      expect(asked(solo)).toEqual({ type: "answer", text: "hello" });
      expect(solo.tell(closed(`input/${index + 1}`))).toEqual([]);
      expect(solo.tell(opened(`input/${index + 2}`))).toEqual([]);
      expect(solo.tell(quiet)).toEqual(["tell turn run.parked", "tell run run.rested"]);
      solo.done("turn", { stopReason: "end_turn" });
      expect(solo.value).toBe("parked");
    }
    solo.tell(text(""));
    expect(answer(solo)).toEqual({ do: "send", to: "input/3", event: { type: "input.answered", text: "" } });
    expect(solo.tell(closed("input/3"))).toEqual([]);
    expect(solo.done("run", runDone())).toEqual(["tell turn run.settled"]);
    solo.done("turn", { stopReason: "end_turn" });
    expect(solo.value).toBe("idle");
  });

  it("keeps that it was cancelled until the run has ended, also where a crash cuts that off", () => {
    for (const make of [parked, interrupted, abandoned]) {
      const solo = make();
      const reading = () => readSession(solo.value, solo.context);
      expect(reading().isCancelling).toBe(false);
      expect(solo.tell({ type: "cancel.requested" })).toEqual(["tell all cancel.requested"]);
      expect(reading().isCancelling).toBe(true);
      solo.done("run", runDone(CANCELLED));
      expect(reading().isCancelling).toBe(false);
    }
  });

  it("tells what is below that its process is lost, also where no turn runs: time limits and questions stand still", () => {
    for (const make of [parked, interrupted, abandoned]) {
      const solo = make();
      const { value } = solo;
      expect(solo.tell({ type: "owner.lost" })).toEqual(["tell all owner.lost"]);
      expect(solo.value).toBe(value);
    }
  });

  it("gives answers to the oldest question first", () => {
    const solo = parked("input/1", "input/2");
    solo.tell(text("one"));
    expect(answer(solo)).toEqual({ do: "send", to: "input/1", event: { type: "input.answered", text: "one" } });
    solo.tell(closed("input/1"));
    solo.tell(opened("input/3"));
    solo.tell(quiet);
    solo.done("turn", { stopReason: "end_turn" });
    solo.tell(text("two"));
    expect(answer(solo)).toMatchObject({ to: "input/2", event: { text: "two" } });
    solo.tell(closed("input/2"));
    solo.tell(quiet);
    solo.done("turn", { stopReason: "end_turn" });
    solo.tell(text("three"));
    expect(answer(solo)).toMatchObject({ to: "input/3", event: { text: "three" } });
  });

  it("refuses a resume and stays as it is", () => {
    const solo = parked();
    expect(solo.tell(prompt({ type: "resume", recover: "rerun" }, "t2"))).toEqual(["spawn turn turn"]);
    expect(asked(solo)).toMatchObject({ type: "explain", fault: { code: "USER.RUN.NOT_RESUMABLE" } });
    solo.done("turn", { stopReason: "refusal" });
    expect(solo.value).toBe("parked");
    solo.tell(text("one", "t3"));
    expect(answer(solo)).toMatchObject({ to: "input/1", event: { text: "one" } });
  });

  it.each([
    ["settled", (solo: Solo) => solo.done("run", runDone())],
    ["failed", (solo: Solo) => solo.fail("run")],
  ])("is free once the run has %s by itself", (_, end) => {
    const solo = parked();
    expect(end(solo)).toEqual([]);
    expect(solo.value).toBe("idle");
  });

  it("after a crash takes words as the answer, and resumes what was cut off beside it", () => {
    const solo = running();
    solo.tell(opened("input/1"));
    solo.tell(lost);
    solo.done("turn", { stopReason: "cancelled" });
    expect(solo.value).toBe("interrupted");
    expect(solo.tell(text("one"))).toEqual([
      "spawn turn turn",
      "tell run resume.requested",
      "send input/1 input.answered",
    ]);
    expect(answer(solo)).toMatchObject({ to: "input/1", event: { text: "one" } });
    expect(solo.effects.at(-2)).toMatchObject({ event: { recover: "ask" } });
  });

  it("after a crash can be resumed without an answer, and then waits again", () => {
    const solo = running();
    solo.tell(opened("input/1"));
    solo.tell(lost);
    solo.done("turn", { stopReason: "cancelled" });
    expect(solo.tell(prompt({ type: "resume", recover: "rerun" }, "t2"))).toEqual([
      "spawn turn turn",
      "tell run resume.requested",
    ]);
    solo.tell(quiet);
    solo.done("turn", { stopReason: "end_turn" });
    expect(solo.value).toBe("parked");
    solo.tell(text("one", "t3"));
    expect(answer(solo)).toMatchObject({ to: "input/1" });
  });

  it("ends the turn of a run that rests again, and keeps the run", () => {
    const solo = interrupted();
    solo.tell(prompt(TEXT, "t2"));
    expect(solo.tell(quiet)).toEqual(["tell turn run.parked", "tell run run.rested"]);
    solo.done("turn", { stopReason: "end_turn" });
    expect(solo.value).toBe("interrupted");
  });
});
