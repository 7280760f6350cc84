import { describe, expect, it } from "vitest";
import type { Exchange, Row } from "../../../machines/exchange.ts";
import { misfits } from "../../../machines/rerun/fit.ts";
import { type Beginning, takenOf } from "../../../machines/rerun/taken.ts";
import { trailOf } from "../../../machines/rerun/trail.ts";
import type { Workflow } from "../../../machines/workflow/document.ts";
import { agent, BAD, command, forEach, OK, parallel, result, terminal, workflow } from "../../support/documents.ts";

const log = (...rows: Row[]): Exchange[] => rows.map((row, index) => ({ ...row, seq: index + 1, at: 0 }));
const begun = (step: string, name = step.replace(/^.*\//, "").replace(/#\d+$/, ""), run = "r1"): Row => ({
  type: "step.started",
  run,
  step,
  payload: { name, kind: "command", title: name, parallel: false },
});
const ended = (step: string, status: "completed" | "failed" | "cancelled" = "completed"): Row => ({
  type: "step.completed",
  run: "r1",
  step,
  payload: { name: step, kind: "command", status, exitCode: 0 },
});

const ROWS = log(
  ...[begun("build"), ended("build"), begun("fan"), begun("fan/left"), ended("fan/left"), ended("fan")],
  ...[begun("test"), ended("test", "failed"), begun("x", "x", "r2"), begun("build#2", "build"), ended("build#2")],
  ...[begun("test#2", "test"), ended("test#2", "failed"), begun("notify"), ended("notify")],
);
const states = Object.fromEntries(["build", "left", "test", "notify"].map((name) => [name, result(OK, name)]));
const reading = (more: object = {}) => ({
  workflow: workflow([]),
  inputs: {},
  outcome: BAD,
  states,
  rests: {},
  ...more,
});
const taken = (where: Beginning, more: object = {}) => takenOf("r1", reading(more), trailOf(ROWS, "r1"), where);

describe("what is taken over", () => {
  it("follows the run's own steps, each with what ran below it", () => {
    expect(trailOf(ROWS, "r1").map(({ path, name, names, status }) => [path, name, [...names], status])).toEqual([
      ["build", "build", ["build"], "completed"],
      ["fan", "fan", ["fan", "left"], "completed"],
      ["test", "test", ["test"], "failed"],
      ["build#2", "build", ["build"], "completed"],
      ["test#2", "test", ["test"], "failed"],
      ["notify", "notify", ["notify"], "completed"],
    ]);
  });
  it("is nothing for a rerun from the beginning", () => {
    expect(taken({ at: "start" })).toEqual({ ok: true, taken: { run: "r1", from: null, steps: [], states: {} } });
  });
  it("is the states before a step, but for those that ran again after it (I1)", () => {
    const { left } = states;
    expect(taken({ at: "step", name: "test" })).toEqual({
      ok: true,
      taken: { run: "r1", from: "test", steps: ["fan"], states: { left } },
    });
    expect(taken({ at: "step", name: "build" })).toMatchObject({ taken: { steps: [], states: {} } });
  });
  it("reaches up to the last step that did not end well, whatever came after it (I2)", () => {
    expect(taken({ at: "failed" })).toMatchObject({
      taken: { from: "test", steps: ["build", "fan"], states: { build: states["build"], left: states["left"] } },
    });
  });
  it("reaches up to an earlier loop with failed rounds, and keeps its good rounds (I2)", () => {
    const rest = { items: ["a", "b"], next: 2, again: [1], states: {} };
    expect(taken({ at: "failed" }, { rests: { fan: rest } })).toEqual({
      ok: true,
      taken: { run: "r1", from: "fan", steps: [], states: {}, earlier: { rest, rounds: [] } },
    });
  });
  it("is a fault where the run never came to the step, or where nothing failed", () => {
    const { fault } = taken({ at: "step", name: "deploy" }) as { fault: { message: string } };
    expect(fault.message).toContain('has not come to a step "deploy": it went by build, fan, test, notify');
    const good = trailOf(log(begun("a"), ended("a")), "r1");
    expect(takenOf("r1", reading(), good, { at: "failed" })).toMatchObject({
      ok: false,
      fault: { code: "USER.RUN.NOT_RERUNNABLE" },
    });
  });
});

describe("whether it fits the workflow as it is now", () => {
  const doc = (...nodes: Workflow["states"][string][]) => workflow([...nodes, terminal("done")]);
  const use = command("use", { run: { command: "echo {{.states.build.Output}}" } });
  const build = command("build", { run: { command: "make {{.inputs.level}}" }, onSuccess: "use" });
  const compared = (now: Workflow, more: object = {}) =>
    misfits({
      before: { workflow: doc(build, use), inputs: { level: "1" } },
      now: { workflow: now, inputs: { level: "1" } },
      ...{ steps: ["build"], results: ["build"], loop: null },
      ...more,
    });

  it("a step that does the same fits, wherever it leads and however it is described (I1)", () => {
    const moved = { ...build, onSuccess: "done", line: 7, description: "Builds", timeoutMs: 5, continueOnError: true };
    expect(compared(doc(moved, use))).toEqual([]);
    const limits = { budget: { agentTurns: 9 }, repair: 5, requires: { execute: "ask" }, maxConcurrent: 3 } as never;
    expect(compared(doc({ ...build, ...(limits as object) }, use))).toEqual([]);
  });
  it.each([
    ["does something else", doc({ ...build, run: { command: "make all" } }, use), {}, ['"build": command changed']],
    ["is of another kind", doc(agent("build"), use), {}, ['"build": type changed']],
    [
      "takes a script, keeps less and works elsewhere",
      doc({ ...build, run: { scriptFile: "a.sh" }, maxOutputBytes: 9, dir: "b" } as never, use),
      {},
      ['"build": script_file, dir, capture changed'],
    ],
    ["is gone", doc(use), {}, ['"build" is not there any more']],
    [
      "reads an input with another value (I2)",
      doc(build, use),
      { now: { workflow: doc(build, use), inputs: { level: "2" } } },
      ['"build" reads inputs.level, which has another value'],
    ],
    [
      "left a result that was not kept and is read now",
      doc(build, use),
      { results: [] },
      ['"build": its result was not kept, since nothing read it then, and something reads it now'],
    ],
  ])("a step that %s does not fit", (_, now, more, expected) => expect(compared(now, more)).toEqual(expected));
  it.each([
    ["by index", '{{index .inputs "my-level"}}', true],
    ["with all others", "{{toJson .inputs}}", true],
    ["by a variable", "{{$i := .inputs}}{{index $i .states.a.Output}}", true],
    ["not at all, but another one", '{{index .inputs "other"}} {{.inputs.other}}', false],
    ["in words alone", "say my-level, which stands in inputs.my-level", false],
  ])("an input that a step reads %s (I2)", (_, text, isRead) => {
    const states = doc(command("build", { run: { command: `make ${text}` } }), use);
    const of = (level: string) => ({ workflow: states, inputs: { "my-level": level, other: "o" } });
    const told = misfits({ before: of("1"), now: of("2"), steps: ["build"], results: ["build"], loop: null });
    expect(told).toEqual(isRead ? ['"build" reads inputs.my-level, which has another value'] : []);
  });
  it("steps below a step count, and so does the body of a loop whose rounds are taken over", () => {
    const each = forEach("each", ["look"]);
    const fan = parallel("fan", ["look"]);
    const look = command("look");
    const other = command("look", { run: { command: "other" } });
    const before = { workflow: doc(each, fan, look), inputs: {} };
    const now = { workflow: doc(each, fan, other), inputs: {} };
    const told = ['"look": command changed'];
    expect(misfits({ before, now, steps: ["fan"], results: [], loop: null })).toEqual(told);
    expect(misfits({ before, now, steps: [], results: [], loop: "each" })).toEqual(told);
    const more = { workflow: doc(each, parallel("fan", ["look", "use"]), look, use), inputs: {} };
    expect(misfits({ before, now: more, steps: ["fan"], results: [], loop: null })).toEqual([
      '"fan": parallel changed',
    ]);
  });
});
