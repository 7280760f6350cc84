/** Covers `references.ts`, `skips.ts`, `texts.ts`: all that is said of a target, of a skip, of a text with faults. */
import { describe, expect, test } from "vitest";
import { parse } from "../fixtures.ts";
import { said, states, step } from "./said.ts";

describe("targets", () => {
  const code = "MISSING_STATE";
  test("each field that names a state, with its place", () => {
    const source = states(
      `  a: {command: x, on_success: q1, on_failure: q2, transitions: [{when: "1 == 1", goto: q3}], depends_on: [q4]}\n` +
        "  l: {type: for_each, items: [1], body: [q5], on_complete: q6}\n  p: {parallel: [q7], on_success: dd}\n",
    );
    const missing = (said(source) as { code: string }[]).filter((each) => each.code === code);
    const expected = "one of a, l, p, d";
    expect(missing).toEqual([
      { code, message: 'state "q1" does not exist', expected, path: "states.a.on_success", at: "q1" },
      { code, message: 'state "q2" does not exist', expected, path: "states.a.on_failure", at: "q2" },
      { code, message: 'state "q3" does not exist', expected, path: "states.a.transitions[0].goto", at: "q3" },
      { code, message: 'state "q4" does not exist', expected, path: "states.a.depends_on[0]", at: "q4" },
      { code, message: 'state "q5" does not exist', expected, path: "states.l.body[0]", at: "q5" },
      { code, message: 'state "q6" does not exist', expected, path: "states.l.on_complete", at: "q6" },
      { code, message: 'state "q7" does not exist', expected, path: "states.p.parallel[0]", at: "q7" },
      { code, message: 'state "dd" does not exist', expected, suggestion: "d", path: "states.p.on_success", at: "dd" },
    ]);
  });

  test("the beginning, and a skip", () => {
    expect(
      said("name: x\nstates:\n  initial: aa\n  a: {command: x, on_success: d}\n  d: {type: terminal}\n"),
    ).toMatchObject([
      {
        code,
        message: 'state "aa" does not exist',
        expected: "one of a, d",
        suggestion: "a",
        path: "states.initial",
        at: "aa",
      },
    ]);
    expect(
      said(states(step("a", "command: x, approval: {on_deny: skip, on_skip: nope}", "d"))).length +
        said(states(step("a", "command: x, approval: {on_deny: skip}, on_skip: nope", "d"))).length,
    ).toBeGreaterThan(0);
  });

  test("a file of AWF loads where a body leads nowhere: that becomes an end that fails", () => {
    const source =
      "name: x\nstates:\n  initial: l\n  l: {type: for_each, items: [1], body: [b], on_complete: d}\n  b: {type: step, command: x, on_success: gone, depends_on: [lost]}\n  d: {type: terminal}\n";
    const { workflow } = parse(source, { awf: true });
    expect(workflow?.states["gone"]).toEqual({
      type: "terminal",
      name: "gone",
      status: "failure",
      message: "state gone does not exist",
      exitCode: 3,
    });
    expect(workflow?.states["b"]).toMatchObject({ dependsOn: [] });
  });
});

describe("a step that is skipped after a no", () => {
  const skip = (more = ""): string => `approval: {on_deny: skip}${more}`;
  const warning = (name: string, place: string) => ({
    code: "SKIP_WITHOUT_WAY",
    severity: "warning",
    message: `after a no "${name}" is skipped, and the run ends there as skipped: ${place} names no on_skip`,
    expected: "on_skip with the state that comes next, or on_deny: error",
    path: `states.${name}.approval.on_deny`,
    at: "skip",
  });
  test("has a way on, or is spoken of", () => {
    expect(said(states(step("a", `command: x, ${skip()}`, "d")))).toEqual([warning("a", "it")]);
    expect(said(states(step("a", `command: x, ${skip(", on_skip: d")}`, "d")))).toEqual([]);
    expect(said(states(step("a", "command: x, approval: {on_deny: error}", "d")))).toEqual([]);
    const way = `transitions: [{when: "states.a.Status == 'skipped'", goto: d}, {goto: d}]`;
    expect(said(states(`  a: {command: x, ${skip()}, ${way}}\n`))).toEqual([]);
  });

  test("as a branch its parallel is asked, where all have to succeed", () => {
    const parallel = (strategy: string, more = ""): object[] =>
      said(states(`  a: {parallel: [b], strategy: ${strategy}, on_success: d${more}}\n  b: {command: x, ${skip()}}\n`));
    expect(parallel("all_succeed")).toEqual([warning("b", 'the parallel "a"')]);
    expect(parallel("all_succeed", ", on_skip: d")).toEqual([]);
    expect(parallel("best_effort")).toEqual([]);
  });
});

describe("texts with faults", () => {
  test("the others are still checked, each at its own place, also in a text that is quoted or folded", () => {
    const source = states(
      `  a:\n    command: >-\n      echo {{.inputs.one}}\n      {{ | }} {{.inputs.two}}\n      {{.inputs.three\n    on_success: b\n  b:\n    command: "tab\\t{{.inputs.four}}"\n    on_success: d\n`,
    );
    expect(
      (said(source) as { code: string; at: string; path: string }[]).map(({ code, at, path }) => [code, path, at]),
    ).toEqual([
      ["UNDEFINED_INPUT", "states.a.command", ".inputs.one"],
      ["BAD_TEMPLATE", "states.a.command", "|"],
      ["UNDEFINED_INPUT", "states.a.command", ".inputs.two"],
      ["BAD_TEMPLATE", "states.a.command", "{{"],
      ["UNDEFINED_INPUT", "states.b.command", ".inputs.four"],
    ]);
  });
});
