/** A session with its turns, run and steps together: conversations that park, and the time of their steps. */
import { describe, expect, it } from "vitest";
import type { WorkInput } from "../../machines/contracts.ts";
import { agent, command, parallel } from "../support/documents.ts";
import { cancel } from "../support/machine.ts";
import type { Stage } from "../support/stage.ts";
import { BEGIN, keyed, places, prompted, SESSION, say, work } from "./session/parking.ts";

const talk = (name: string) => agent(name, { mode: "conversation", onSuccess: "done" });

describe("a conversation", () => {
  it("parks after every turn, continues with every answer, and ends with an empty one", () => {
    const stage = prompted(talk("talk"));
    work(stage);
    expect([stage.state(SESSION), stage.work]).toEqual(["parked", []]);
    say(stage, "t2", "more");
    expect([stage.state(SESSION), work(stage), stage.state(SESSION)]).toEqual(["prompted", "more", "parked"]);
    say(stage, "t3", "");
    expect([stage.state(SESSION), stage.alive]).toEqual(["idle", [SESSION]]);
    expect(places(stage.rows)).toEqual([
      "session.opened",
      ...BEGIN,
      "run.started",
      "step.started talk",
      "input.required talk",
      "turn.completed",
      ...BEGIN,
      "input.answered talk",
      "input.required talk",
      "turn.completed",
      ...BEGIN,
      "input.answered talk",
      "step.completed talk",
      "run.completed",
      "turn.completed",
    ]);
  });

  it("in two branches parks when both wait, and answers go to the oldest question", () => {
    const stage = prompted(parallel("fan", ["a", "b"], { onSuccess: "done" }), talk("a"), talk("b"));
    work(stage);
    expect(stage.state(SESSION)).toBe("prompted");
    work(stage);
    expect(stage.state(SESSION)).toBe("parked");
    const from = stage.rows.length;
    say(stage, "t2", "to a");
    expect([stage.work.map(({ input }) => (input as WorkInput).node.name), work(stage)]).toEqual([["a"], "to a"]);
    say(stage, "t3", "to b");
    expect([stage.work.map(({ input }) => (input as WorkInput).node.name), work(stage)]).toEqual([["b"], "to b"]);
    expect(stage.state(SESSION)).toBe("parked");
    say(stage, "t4", "");
    expect(stage.state(SESSION)).toBe("parked");
    say(stage, "t5", "");
    expect([stage.state(SESSION), stage.alive]).toEqual(["idle", [SESSION]]);
    expect(places(stage.rows.slice(from))).toEqual([
      ...BEGIN,
      "input.answered fan/a",
      "input.required fan/a",
      "turn.completed",
      ...BEGIN,
      "input.answered fan/b",
      "input.required fan/b",
      "turn.completed",
      ...BEGIN,
      "input.answered fan/a",
      "step.completed fan/a",
      "turn.completed",
      ...BEGIN,
      "input.answered fan/b",
      "step.completed fan/b",
      "step.completed fan",
      "run.completed",
      "turn.completed",
    ]);
  });

  it("refuses a resume while it waits, and keeps waiting", () => {
    const stage = prompted(talk("talk"));
    work(stage);
    say(stage, "t2", "", { type: "resume", recover: "rerun" });
    expect([stage.state(SESSION), stage.work]).toEqual(["parked", []]);
    expect(stage.rows.at(-1)).toMatchObject({
      type: "turn.completed",
      payload: { stopReason: "refusal", error: { code: "USER.RUN.NOT_RESUMABLE" } },
    });
    say(stage, "t3", "more");
    expect(work(stage)).toBe("more");
  });

  it("ends by a cancel while it waits, without a turn", () => {
    const stage = prompted(talk("talk"));
    work(stage);
    const from = stage.rows.length;
    stage.post(SESSION, cancel);
    stage.settle();
    expect(places(stage.rows.slice(from))).toEqual(["step.completed talk", "run.completed"]);
    expect([stage.state(SESSION), stage.alive, stage.timers]).toEqual(["idle", [SESSION], []]);
  });

  it("whose turn was cut off repeats it with the same words, and then parks", () => {
    const stage = prompted(talk("talk"));
    work(stage);
    say(stage, "t2", "more");
    stage.crash(SESSION);
    stage.settle();
    expect([stage.state(SESSION), stage.work]).toEqual(["interrupted", []]);
    say(stage, "t3", "", { type: "resume", recover: "rerun" });
    expect([work(stage), stage.state(SESSION)]).toEqual(["more", "parked"]);
  });

  it("beside a branch that was cut off lets that one continue first, and then waits again", () => {
    const stage = prompted(parallel("fan", ["a", "b"], { onSuccess: "done" }), talk("a"), command("b"));
    work(stage);
    stage.crash(SESSION);
    stage.settle();
    expect(stage.state(SESSION)).toBe("interrupted");
    say(stage, "t2", "", { type: "resume", recover: "rerun" });
    work(stage);
    expect(stage.state(SESSION)).toBe("parked");
    say(stage, "t3", "");
    expect(stage.state(SESSION)).toBe("idle");
  });
});

describe("a step's time limit", () => {
  const fan = () => prompted(parallel("fan", ["a", "b"], { timeoutMs: 60_000 }), talk("a"), command("b"));
  const limits = (stage: Stage) => stage.timers.map(({ id, due }) => [id, due]);

  it("lets a conversation below it park, and stands still meanwhile", () => {
    const stage = fan();
    expect(limits(stage)).toEqual([["limit", 60_000]]);
    work(stage);
    expect([stage.state(SESSION), limits(stage)]).toEqual(["prompted", [["limit", 60_000]]]);
    work(stage);
    expect([stage.state(SESSION), limits(stage)]).toEqual(["parked", []]);
    say(stage, "t2", "more");
    expect(limits(stage)).toEqual([["limit", 60_000]]);
    stage.ring();
    work(stage);
    expect(stage.rows.findLast(({ type, step }) => type === "step.completed" && step === "fan")?.payload).toMatchObject(
      { exitCode: 124, error: { code: "EXECUTION.STEP.TIMEOUT" } },
    );
  });

  it("does not begin when a parked run refuses what it is asked", () => {
    const stage = fan();
    work(stage);
    work(stage);
    say(stage, "t2", "", { type: "resume", recover: "rerun" });
    expect([stage.state(SESSION), limits(stage)]).toEqual(["parked", []]);
  });

  it("stands still after a crash until the run is resumed", () => {
    const stage = fan();
    work(stage);
    stage.crash(SESSION);
    stage.settle();
    expect([stage.state(SESSION), limits(stage), stage.isQuiet]).toEqual(["interrupted", [], true]);
    say(stage, "t2", "", { type: "resume", recover: "rerun" });
    expect(limits(stage)).toEqual([["limit", 60_000]]);
  });
});

describe("a run that is not resumed", () => {
  it("gives the turn back and can be resumed later", () => {
    const stage = prompted(command("work", { onSuccess: "done" }));
    stage.crash(SESSION);
    stage.settle();
    say(stage, "t2", "on");
    stage.post(keyed(stage, "permission"), { type: "asker.left" });
    stage.settle();
    expect(stage.state(SESSION)).toBe("interrupted");
    expect(stage.rows.at(-1)).toMatchObject({ type: "turn.completed", payload: { turn: "t2" } });
    say(stage, "t3", "", { type: "resume", recover: "rerun" });
    work(stage);
    expect([stage.state(SESSION), stage.alive]).toEqual(["idle", [SESSION]]);
  });
});
