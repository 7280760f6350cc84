import { describe, expect, it } from "vitest";
import type { Intent } from "../../machines/contracts.ts";
import { turnMachine } from "../../machines/turn-machine.ts";
import { BAD, CONTEXT, command, OK, STOPPED, workflow } from "../support/documents.ts";
import { brief, CRASH, cancel, Solo } from "../support/machine.ts";

const DEMO = workflow([command("a")]);
const runAsk = (trust: Extract<Intent, { type: "run" }>["trust"]): Intent => ({
  type: "run",
  run: "r1",
  workflow: DEMO,
  inputs: { n: 1 },
  env: {},
  context: CONTEXT,
  trust,
});
const blocks = [{ type: "text", text: "/demo" }];
const turn = (ask: Intent) =>
  new Solo(turnMachine, "turn/t1", { turn: "t1", blocks, ask, session: "s1", cwd: "/project" }, "session/s1");
const all = (solo: Solo) => solo.effects.map(brief);
const lost = { type: "owner.lost" };
const runSettled = (outcome: typeof OK) => ({ type: "run.settled", settled: { outcome, outputs: {} } });
const GRANTED = { outcome: "granted" };
const end = (solo: Solo) => solo.rows.at(-1)?.payload;
const BEGUN = ["row turn.started", "row message.user"];
/** A run that a person was asked about, and that did not begin. */
const UNBEGUN = ["row message.assistant", "row run.completed", "row turn.completed"];

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

describe("trust", () => {
  const asked = () => turn(runAsk("ask"));
  const selected = (option: string) => ({ outcome: "selected", option });

  it("is asked for before anything is started (I2), and remembered", () => {
    const solo = asked();
    expect(all(solo)).toEqual([...BEGUN, "spawn permission permission"]);
    expect(solo.input("permission")).toMatchObject({
      run: "r1",
      title: "Trust /project?",
      input: { cwd: "/project", workflow: "demo" },
    });
    expect(solo.done("permission", selected("trust"))).toEqual(["spawn trust trust"]);
    const yes = { cwd: "/project", workflow: DEMO, directories: ["/project"], files: [], keeps: true };
    expect(solo.input("trust")).toEqual(yes);
    expect(solo.done("trust", GRANTED)).toEqual(["send session/s1 run.requested"]);
  });

  it("that is refused: no run, and the reason in words", () => {
    const solo = asked();
    expect(solo.done("permission", selected("refuse"))).toEqual([
      "row message.assistant",
      "row run.completed",
      "row turn.completed",
    ]);
    expect(solo.rows.at(-2)).toMatchObject({
      run: "r1",
      payload: { workflow: "demo", status: "failed", exitCode: 5, began: false, error: { code: "USER.TRUST.REFUSED" } },
    });
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "USER.TRUST.REFUSED" } });
  });

  it("that is given once starts the run and is not remembered; it is offered only on request", () => {
    const solo = turn(runAsk("ask or once"));
    expect(solo.input("permission")).toMatchObject({
      options: [{ id: "trust" }, { id: "refuse" }, { id: "once", kind: "allow_once" }],
    });
    expect(solo.done("permission", selected("once"))).toEqual(["spawn trust trust"]);
    expect(solo.input("trust")).toMatchObject({ keeps: false });
    expect(solo.done("trust", GRANTED)).toEqual(["send session/s1 run.requested"]);
    expect(asked().input("permission")).toMatchObject({ options: [{ id: "trust" }, { id: "refuse" }] });
  });

  const file = (path: string, digest: string | null) => ({ path, digest });
  const changed = (...files: object[]) => ({ outcome: "changed", files });
  const WORDS = 'Workflow "demo" runs commands and agents with your rights in /project.';
  const REQUEST = "Read it before you trust this directory.";
  const reading = (...directories: string[]) =>
    turn({
      ...runAsk("ask"),
      consent: { directories, files: [file("/project/a.sh", "1"), file("/project/b.sh", null)] },
    } as Intent);

  it.each(["trust", "once"])(
    "that is given by %s to files that have changed since is asked again, with their names (I5)",
    (yes) => {
      const solo = reading("/project");
      expect(solo.input("permission")).toMatchObject({
        message: `${WORDS} It reads "/project/a.sh", "/project/b.sh". ${REQUEST}`,
        input: { cwd: "/project", workflow: "demo", files: ["/project/a.sh", "/project/b.sh"] },
      });
      expect(solo.done("permission", selected(yes))).toEqual(["spawn trust trust"]);
      const now = [file("/project/a.sh", "2"), file("/project/b.sh", null), file("/project/c.sh", "3")];
      expect(solo.done("trust", changed(...now))).toEqual(["spawn permission permission"]);
      const paths = '"/project/a.sh", "/project/b.sh", "/project/c.sh"';
      const since = 'Since you were asked first, this has changed: "/project/a.sh", "/project/c.sh".';
      expect(solo.input("permission")).toMatchObject({ message: `${WORDS} It reads ${paths}. ${since} ${REQUEST}` });
      expect(solo.done("permission", selected(yes))).toEqual(["spawn trust trust"]);
      expect(solo.input("trust")).toMatchObject({ files: now, keeps: yes === "trust" });
      expect(solo.done("trust", GRANTED)).toEqual(["send session/s1 run.requested"]);
    },
  );

  it("is not asked for without end (I5)", () => {
    const solo = reading("/project");
    for (let n = 2; n <= 5; n++) {
      solo.done("permission", selected("trust"));
      expect(solo.done("trust", changed(file("/project/a.sh", `${n}`)))).toEqual(["spawn permission permission"]);
    }
    solo.done("permission", selected("trust"));
    expect(solo.done("trust", changed())).toEqual(UNBEGUN);
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "USER.TRUST.REFUSED" } });
  });

  it("is asked for each directory by name", () => {
    const solo = reading("/project", "/elsewhere");
    expect(solo.input("permission")).toMatchObject({ title: "Trust /project and /elsewhere?" });
    solo.done("permission", selected("trust"));
    expect(solo.input("trust")).toMatchObject({ cwd: "/project", directories: ["/project", "/elsewhere"] });
  });

  it("without an answer: no run, and the reason in words (I3)", () => {
    const solo = asked();
    expect(solo.done("permission", { outcome: "cancelled" })).toEqual(UNBEGUN);
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "USER.TRUST.REFUSED" } });
  });

  it.each([
    [cancel, "EXECUTION.RUN.CANCELLED"],
    [lost, "SYSTEM.PROCESS.LOST"],
  ])("that is withdrawn by %j: cancelled, in words, whatever the answer is (I3, I4)", (event, code) => {
    for (const answer of [{ outcome: "cancelled" }, selected("trust")]) {
      const solo = asked();
      expect(solo.tell(event)).toEqual(["tell all cancel.requested"]);
      expect(solo.done("permission", answer)).toEqual(UNBEGUN);
      expect(solo.rows.at(-2)?.payload).toMatchObject({ status: "cancelled", exitCode: 130, began: false });
      expect(end(solo)).toMatchObject({ stopReason: "cancelled", error: { code } });
    }
  });

  it("is refused where no one can be asked", () => {
    const solo = turn(runAsk("refuse"));
    expect(all(solo)).toEqual([...BEGUN, "row message.assistant", "row turn.completed"]);
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "USER.TRUST.REQUIRED" } });
  });

  it.each(["permission", "trust"])("starts nothing when its effect fails: %s", (child) => {
    const solo = asked();
    if (child === "trust") solo.done("permission", selected("trust"));
    expect(solo.fail(child, { code: "SYSTEM.IO.WRITE_FAILED", message: "full" })).toEqual([
      "row message.assistant",
      "row run.completed",
      "row turn.completed",
    ]);
    expect(end(solo)).toMatchObject({ stopReason: "refusal", error: { code: "SYSTEM.IO.WRITE_FAILED" } });
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
