/** A run from its first row to its last, the texts of its end, and a cancel in every state. */
import { describe, expect, it } from "vitest";
import type { ConcludeInput, StepInput } from "../../machines/contracts.ts";
import { BAD, command, OK, parallel, result, STOPPED, settled, terminal, workflow } from "../support/documents.ts";
import { CRASH, cancel, resume, SELF_AT, type Solo } from "../support/machine.ts";
import { all, BROKEN, hooked, hooks, ordered, run, TWO } from "./run/lone-run.ts";

describe("a run", () => {
  it("goes through its states between its first and its last row (I1)", () => {
    const solo = run(workflow(TWO));
    solo.done("a", settled(OK));
    solo.done("b", settled(OK));
    expect(all(solo)).toEqual(["row run.started", "spawn step a", "spawn step b", "row run.completed"]);
    expect(solo.rows).toEqual([
      {
        type: "run.started",
        run: "r1",
        payload: {
          workflow: "demo",
          turn: "t1",
          plan: [
            { name: "a", title: "a", kind: "command" },
            { name: "b", title: "b", kind: "command" },
          ],
          inputs: {},
        },
      },
      { type: "run.completed", run: "r1", payload: { workflow: "demo", status: "completed", exitCode: 0 } },
    ]);
    expect(solo.output).toEqual({ outcome: OK, outputs: {} });
  });

  it("called by another names its parent and the step there, and no turn", () => {
    const solo = run(workflow([terminal("done")]), { parentRun: "r0", parentStep: "fan/sub", turn: null });
    expect(solo.rows.map((row) => [row.type, row.parentRun, row.parentStep])).toEqual([
      ["run.started", "r0", "fan/sub"],
      ["run.completed", "r0", undefined],
    ]);
    expect(solo.rows[0]?.payload).not.toHaveProperty("turn");
  });

  it("gives each step its place and the results that it reads", () => {
    const solo = run(workflow([command("a", { onSuccess: "a", run: { command: "{{.states.a.Output}}" } })]), {
      depth: 2,
      callers: [{ name: "above", file: null }],
    });
    solo.done("a", settled(OK, { a: result(OK, "1"), x: result(OK) }));
    expect(solo.input("a#2")).toMatchObject({
      origin: {
        run: "r1",
        step: "a#2",
        session: "s1",
        parallel: false,
        depth: 2,
        callers: [{ name: "above", file: null }],
      },
      scope: {
        states: { a: result(OK, "1") },
        workflow: { ID: "r1", Name: "demo", StartedAt: SELF_AT, CurrentState: "a" },
      },
      keep: [],
    } satisfies { [K in keyof StepInput]?: unknown });
  });

  it("names the results that are read to containers only", () => {
    const reads = workflow([
      parallel("fan", ["a"], { onSuccess: "b" }),
      command("a"),
      command("b", { onSuccess: "end", run: { command: "{{.states.a.Output}}" } }),
      terminal("end"),
    ]);
    const solo = run(reads);
    expect(solo.input("fan")).toMatchObject({ keep: ["a"] });
    solo.done("fan", settled(OK, { a: result(OK) }));
    expect(solo.input("b")).toMatchObject({ keep: [] });
  });

  it("fails when a step fails, and when a step's machine does", () => {
    const bad = run(workflow(TWO));
    bad.done("a", settled(BAD));
    expect(bad.output).toEqual({ outcome: BAD, outputs: {} });
    const broken = run(workflow(TWO));
    broken.fail("a", BROKEN);
    expect(broken.output).toEqual({ outcome: { status: "failed", exitCode: 1, error: BROKEN }, outputs: {} });
  });

  it("passes the loss of its process on to its step", () =>
    expect(run(workflow(TWO)).tell({ type: "owner.lost" })).toEqual(["tell all owner.lost"]));
  it("passes a resume on to its step", () =>
    expect(run(workflow(TWO)).tell(resume("ask"))).toEqual(["tell all resume.requested"]));
});

describe("the texts of its end", () => {
  const of = workflow(
    [
      command("a", { onSuccess: "done", onFailure: "lost" }),
      terminal("done"),
      terminal("lost", { status: "failure", exitCode: 4, message: "m" }),
    ],
    {
      outputs: { tag: "{{.states.a.Output}}" },
    },
  );

  it("are the outputs of a run that went well", () => {
    const solo = run(of);
    expect(solo.done("a", settled(OK, { a: result(OK, "v1") }))).toEqual(["spawn conclude conclude"]);
    expect(solo.input("conclude")).toMatchObject({
      message: null,
      outputs: { tag: "{{.states.a.Output}}" },
      scope: { states: { a: result(OK, "v1") } },
    } satisfies { [K in keyof ConcludeInput]?: unknown });
    expect(solo.done("conclude", { message: null, outputs: { tag: "v1" } })).toEqual(["row run.completed"]);
    expect(solo.output).toEqual({ outcome: OK, outputs: { tag: "v1" } });
    expect(solo.rows.at(-1)?.payload).toEqual({
      workflow: "demo",
      status: "completed",
      exitCode: 0,
      outputs: { tag: "v1" },
    });
  });

  it("are a terminal's message, and no outputs where the run failed", () => {
    const solo = run(of);
    solo.done("a", settled(BAD));
    expect(solo.input("conclude")).toMatchObject({ message: "m", outputs: {} });
    solo.done("conclude", { message: "sorry", outputs: {} });
    expect(solo.rows.at(-1)?.payload).toEqual({
      workflow: "demo",
      status: "failed",
      exitCode: 4,
      error: { code: "EXECUTION.RUN.FAILED", message: 'the workflow ended in "lost"' },
      message: "sorry",
    });
  });

  it("fail the run where they cannot be rendered", () => {
    const solo = run(of);
    solo.done("a", settled(OK));
    expect(solo.fail("conclude", BROKEN)).toEqual(["row run.completed"]);
    expect(solo.output).toEqual({ outcome: { status: "failed", exitCode: 1, error: BROKEN }, outputs: {} });
  });

  it("are rendered again after a crash, once the run is resumed", () => {
    const solo = run(of);
    solo.done("a", settled(OK));
    expect(solo.fail("conclude", CRASH)).toEqual([]);
    expect(solo.value).toEqual({ concluding: "interrupted" });
    expect(solo.tell(resume("ask"))).toEqual(["spawn conclude conclude"]);
  });
});

describe("cancel in every state (I2, I3)", () => {
  const of = hooked({ outputs: { tag: "x" } });
  const ready = () => {
    const solo = run(of);
    solo.done("hooks", { fault: null });
    return solo;
  };
  const finished = () => {
    const solo = ready();
    solo.done("a", settled(OK));
    solo.done("b", settled(OK));
    return solo;
  };
  const fail = (solo: Solo, id: string) => {
    solo.fail(id, CRASH);
    return solo;
  };
  const closing = () => {
    const solo = finished();
    solo.done("conclude", { message: null, outputs: { tag: "x" } });
    return solo;
  };
  it.each([
    ["start hooks", () => run(of), "hooks"],
    ["start hooks that were cut off", () => fail(run(of), "hooks"), null],
    ["a step", ready, "a"],
    ["rendering", finished, "conclude"],
    ["rendering that was cut off", () => fail(finished(), "conclude"), null],
    ["end hooks", closing, "hooks"],
    ["end hooks that were cut off", () => fail(closing(), "hooks"), null],
  ])("in %s", (_, make, waitsFor) => {
    const solo = make();
    const done = solo.tell(cancel);
    if (waitsFor === null) expect(done).toEqual(["spawn hooks hooks"]);
    else {
      expect(done).toEqual(["tell all cancel.requested"]);
      expect(solo.tell(cancel)).toEqual(["tell all cancel.requested"]);
      expect(solo.done(waitsFor, settled(STOPPED))).toEqual(["spawn hooks hooks"]);
    }
    expect(ordered(solo)).toEqual(hooks.cancel);
    // A second cancel does not touch the cancel hooks.
    expect(solo.tell(cancel)).toEqual([]);
    expect(solo.done("hooks", { fault: null })).toEqual(["row run.completed"]);
    expect(solo.output).toMatchObject({ outcome: STOPPED });
    expect(solo.rows.at(-1)).toMatchObject({ type: "run.completed", payload: { status: "cancelled", exitCode: 130 } });
  });

  it("ends cancelled when something below its step was cancelled", () => {
    const solo = run(workflow(TWO));
    solo.done("a", settled(STOPPED));
    expect(solo.output).toEqual({ outcome: STOPPED, outputs: {} });
  });
});
