/** What a run writes at its beginning and its end, and what its hooks are asked. */
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../machines/model.ts";
import {
  CANCELLED,
  endHooks,
  endRow,
  hooksAt,
  needsConcluding,
  originOf,
  rerunRow,
  startRow,
  warningRow,
} from "../../../machines/run/rows.ts";
import { NOWHERE, type RunBirth, type RunContext } from "../../../machines/run/walk.ts";
import { BAD, command, OK, result, runBirth, STOPPED, terminal, workflow } from "../../support/documents.ts";

const hook = (command: string) => [{ command }];
const HOOKS = { start: hook("start"), end: hook("end"), error: hook("error"), cancel: hook("cancel") };
const DOCUMENT = workflow([command("a", { onSuccess: "z", description: "First" }), terminal("z")], { hooks: HOOKS });
const birth = (more: Partial<RunBirth> = {}): RunBirth =>
  ({ ...runBirth(DOCUMENT), self: "run/r1", parent: null, at: 5, ...more }) as unknown as RunBirth;
const ended = (outcome: Outcome, more: Partial<RunContext> = {}, message: string | null = null): RunContext => ({
  birth: birth(),
  position: {
    ...NOWHERE,
    states: { a: result(OK) },
    where: { at: "end", last: "a", outcome, message: message as never },
  },
  message: null,
  outputs: {},
  ...more,
});

describe("the first row", () => {
  it("has the plan and the inputs, and names the turn", () => {
    const plan = [{ name: "a", title: "First", kind: "command" }];
    expect(startRow(birth({ inputs: { x: 1 } }))).toEqual({
      ...{ type: "run.started", run: "r1" },
      payload: { workflow: "demo", plan, inputs: { x: 1 }, turn: "t1" },
    });
    expect(startRow(birth({ turn: null, parentRun: "r0", parentStep: "call" }))).toEqual({
      ...{ type: "run.started", run: "r1", parentRun: "r0", parentStep: "call" },
      payload: { workflow: "demo", plan, inputs: {} },
    });
  });

  it("names the run that is done again, and what is taken over of it", () => {
    const rerun = (more: object) => {
      const taken = { run: "r0", from: "a", steps: ["b"], states: {}, ...more };
      return (startRow(birth({ taken })).payload as { rerun?: object }).rerun;
    };
    const plain = { run: "r0", from: "a", taken: ["b"] };
    expect(rerun({})).toEqual(plain);
    const rest = { items: ["x", "y", "z"], next: 2, again: [0], states: {} };
    expect(rerun({ round: "a[x]", earlier: { rest, rounds: [] }, differs: ["b"] })).toEqual({
      ...{ ...plain, round: "a[x]", differs: ["b"] },
      rounds: { taken: 1, of: 3 },
    });
    expect(rerun({ earlier: { rest: { ...rest, items: null, next: 4 }, rounds: [] } })).toEqual({
      ...plain,
      rounds: { taken: 3, of: 4 },
    });
  });

  it("the run that is done again hears of it", () => {
    expect(rerunRow(birth())).toEqual([]);
    const taken = { run: "r0", from: null, steps: [], states: {} };
    expect(rerunRow(birth({ taken }))).toEqual([{ type: "run.rerun", run: "r0", payload: { by: "r1" } }]);
  });
});

describe("the last row", () => {
  it("says how the run ended, and what it leaves", () => {
    const row = { type: "run.completed", run: "r1" };
    expect(endRow(ended(OK))).toEqual({ ...row, payload: { workflow: "demo", status: "completed", exitCode: 0 } });
    expect(endRow(ended(BAD, { message: "sorry", outputs: { x: 1 }, birth: birth({ parentRun: "r0" }) }))).toEqual({
      ...{ ...row, parentRun: "r0" },
      payload: {
        ...{ workflow: "demo", status: "failed", exitCode: 3, error: BAD.error },
        ...{ message: "sorry", outputs: { x: 1 } },
      },
    });
    expect(endRow(ended(CANCELLED)).payload).toEqual({
      ...{ workflow: "demo", status: "cancelled", exitCode: 130 },
      error: { code: "EXECUTION.RUN.CANCELLED", message: "the run was cancelled" },
    });
  });

  it("a warning stands where the run does", () => {
    const payload = { severity: "warning", message: "m" };
    expect(warningRow(birth(), "m")).toEqual({ type: "notice", run: "r1", payload });
    expect(warningRow(birth({ parentRun: "r0" }), "m")).toEqual({
      type: "notice",
      run: "r1",
      parentRun: "r0",
      payload,
    });
  });
});

describe("an origin", () => {
  it("says where rows come from", () => {
    const origin = { run: "r1", step: "a", session: "s1", parallel: false, depth: 0 };
    expect(originOf(birth(), "a")).toEqual(origin);
    const callers = [{ run: "r0", step: "call", workflow: "outer" }] as never;
    expect(originOf(birth({ callers, parallel: true, depth: 1 }), "a")).toEqual({
      ...{ ...origin, parallel: true, depth: 1 },
      callers,
    });
  });
});

describe("the end", () => {
  it("is worked for where it says something, or has outputs and went well", () => {
    const outputs = { birth: birth({ workflow: { ...DOCUMENT, outputs: { x: "y" as never } } }) };
    expect([
      needsConcluding(ended(OK)),
      needsConcluding(ended(BAD, {}, "text")),
      needsConcluding(ended(OK, outputs)),
      needsConcluding(ended(BAD, outputs)),
    ]).toEqual([false, true, true, false]);
  });

  it.each([
    ["completed", OK, HOOKS.end],
    ["failed", BAD, HOOKS.error],
    ["cancelled", STOPPED, HOOKS.cancel],
    ["skipped", { status: "skipped", exitCode: 3 }, HOOKS.cancel],
  ] as const)("a run that is %s has its own hooks", (_, outcome, hooks) => {
    expect(hooksAt(ended(outcome as Outcome))).toEqual(hooks);
  });

  it("hooks of a failure may name its error", () => {
    const scope = {
      ...{ inputs: {}, states: { a: result(OK) }, loop: null, env: {}, file: null },
      ...{ workflow: { ID: "r1", Name: "demo", StartedAt: 5 }, context: birth().context },
    };
    const origin = { run: "r1", step: "", session: "s1", parallel: false, depth: 0 };
    expect(endHooks(ended(OK))).toEqual({ origin, hooks: HOOKS.end, scope, stopAtFailure: false });
    const error = { Message: "no", State: "a", ExitCode: 3, Type: "EXECUTION.COMMAND.FAILED" };
    expect(endHooks(ended(BAD))).toEqual({
      ...{ origin, hooks: HOOKS.error, scope: { ...scope, error }, stopAtFailure: false },
    });
    const bare = ended({ status: "failed", exitCode: 1 });
    const nowhere = { ...bare, position: { ...bare.position, where: { ...bare.position.where, last: null } as never } };
    expect(endHooks(nowhere).scope.error).toEqual({ Message: "", State: "", ExitCode: 1, Type: "" });
    const inline = { ...bare.position.where, last: "__inline_error_build" } as never;
    expect(endHooks({ ...bare, position: { ...bare.position, where: inline } }).scope.error?.State).toBe("build");
  });

  it("of a failure that its author wrote down, the author's message is what hooks name", () => {
    const authored: Outcome = {
      status: "failed",
      exitCode: 9,
      error: { code: "EXECUTION.RUN.FAILED", message: "in bad" },
    };
    const message = "deploy of demo broke";
    expect(endHooks(ended(authored, { message })).scope.error?.Message).toBe(message);
    expect(endHooks(ended(authored)).scope.error?.Message).toBe("in bad");
    expect(endHooks(ended(BAD, { message })).scope.error?.Message).toBe("no");
  });

  it("of a run in a tree of its own the hooks run where it was begun", () => {
    const tree = { path: "/t", common: "/c", portBase: 1 };
    const home = { context: { ...birth().context, WorkingDir: "/home" } };
    expect(endHooks(ended(OK, { birth: birth({ tree }), home })).scope).toMatchObject(home);
    expect(endHooks(ended(OK, { birth: birth({ tree }), home })).scope.tree).toBeUndefined();
    expect(endHooks(ended(OK, { birth: birth({ tree }) })).scope.tree).toEqual(tree);
  });
});
