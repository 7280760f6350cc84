import { describe, expect, it } from "vitest";
import type { ConcludeInput, HooksInput, StepInput } from "../../machines/contracts.ts";
import { runMachine } from "../../machines/run-machine.ts";
import type { Node, Workflow } from "../../machines/workflow/document.ts";
import {
  BAD,
  command,
  OK,
  parallel,
  result,
  runBirth,
  STOPPED,
  settled,
  terminal,
  workflow,
} from "../support/documents.ts";
import { brief, CRASH, cancel, resume, SELF_AT, Solo } from "../support/machine.ts";

const TWO: Node[] = [command("a", { onSuccess: "b" }), command("b", { onSuccess: "done" }), terminal("done")];
const run = (of: Workflow, more: object = {}) => new Solo(runMachine, "run/r1", runBirth(of, more), "session/s1");
const all = (solo: Solo) => solo.effects.map(brief);
const hooks = { start: [{ log: "s" }], end: [{ log: "e" }], error: [{ log: "x" }], cancel: [{ log: "c" }] };
const hooked = (more: Partial<Workflow> = {}) => workflow(TWO, { hooks, ...more });
const ordered = (solo: Solo) => (solo.input("hooks") as HooksInput).hooks;
const BROKEN = { code: "X", message: "broken" };

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

describe("hooks", () => {
  it("run before the first and after the last step", () => {
    const solo = run(hooked());
    expect(all(solo)).toEqual(["row run.started", "spawn hooks hooks"]);
    expect(ordered(solo)).toEqual(hooks.start);
    expect(solo.done("hooks", { fault: null })).toEqual(["spawn step a"]);
    solo.done("a", settled(OK));
    expect(solo.done("b", settled(OK))).toEqual(["spawn hooks hooks"]);
    expect(ordered(solo)).toEqual(hooks.end);
    expect(solo.done("hooks", { fault: null })).toEqual(["row run.completed"]);
  });

  it("after an error may name it", () => {
    const solo = run(hooked());
    solo.done("hooks", { fault: null });
    solo.done("a", settled(BAD));
    expect(ordered(solo)).toEqual(hooks.error);
    expect((solo.input("hooks") as HooksInput).scope.error).toEqual({
      Message: "no",
      State: "a",
      ExitCode: 3,
      Type: "EXECUTION.COMMAND.FAILED",
    });
  });

  it.each([
    ["told as a fault", (solo: Solo) => solo.done("hooks", { fault: BROKEN })],
    ["of the effect itself", (solo: Solo) => solo.fail("hooks", BROKEN)],
  ])("at the start, a failure %s ends the run before its first step", (_, end) => {
    const solo = run(hooked());
    expect(end(solo)).toEqual(["spawn hooks hooks"]);
    expect(ordered(solo)).toEqual(hooks.error);
    solo.done("hooks", { fault: null });
    expect(solo.output).toMatchObject({ outcome: { status: "failed", error: BROKEN } });
  });

  it("wait for a resume when they are cut off, at the start and at the end", () => {
    const solo = run(hooked());
    expect(solo.fail("hooks", CRASH)).toEqual([]);
    expect(solo.value).toEqual({ starting: "interrupted" });
    expect(solo.tell(resume("ask"))).toEqual(["spawn hooks hooks"]);
    solo.done("hooks", { fault: null });
    solo.done("a", settled(BAD));
    expect(solo.fail("hooks", CRASH)).toEqual([]);
    expect(solo.value).toEqual({ concluding: "unhooked" });
    expect(solo.tell(resume("ask"))).toEqual(["spawn hooks hooks"]);
    expect(solo.done("hooks", { fault: null })).toEqual(["row run.completed"]);
    expect(solo.output).toMatchObject({ outcome: BAD });
  });
  it("of a cancel that are cut off run again on a resume; another cancel passes them over", () => {
    for (const [event, effects] of [
      [resume("ask"), ["spawn hooks hooks"]],
      [cancel, ["row run.completed"]],
    ] as const) {
      const solo = run(hooked());
      solo.fail("hooks", CRASH);
      solo.tell(cancel);
      solo.fail("hooks", CRASH);
      expect(solo.tell(event)).toEqual(effects);
    }
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
