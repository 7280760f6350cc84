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
    // A beginning that is not named is one fault, of another check.
    expect(said("name: x\nstates:\n  a: {command: x, on_success: d}\n  d: {type: terminal}\n")).toMatchObject([
      { code: "MISSING_FIELD", path: "states.initial" },
    ]);
  });

  test("a skip, and a merge with conflicts", () => {
    const nope = (path: string): object[] => [
      { code, message: 'state "nope" does not exist', expected: "one of a, d", path: `states.a.${path}`, at: "nope" },
    ];
    const of = (fields: string): object[] => said(states(step("a", fields, "d")));
    expect(of("command: x, approval: {on_deny: skip}, on_skip: nope")).toEqual(nope("on_skip"));
    expect(of("command: x, isolation: {worktree: {on_conflict: nope}}")).toEqual(
      nope("isolation.worktree.on_conflict"),
    );
    expect(of("operation: worktree.merge, inputs: {branch: b, on_conflict: nope}")).toEqual(nope("inputs.on_conflict"));
  });

  test("the states that there are: at most a dozen, the ends of messages not among them", () => {
    const help = (count: number): object[] => {
      const names = ["a", ...Array.from({ length: count - 1 }, (_, index) => `s${index}00`), "zzzz"];
      return said(
        states(
          names
            .slice(0, -1)
            .map((name, at) => step(name, "command: x", names[at + 1] ?? ""))
            .join(""),
        ),
      );
    };
    const eleven = "one of a, s000, s100, s200, s300, s400, s500, s600, s700, s800, s900";
    expect([help(11), help(12)]).toMatchObject([[{ expected: `${eleven}, d` }], [{ expected: `${eleven}, s1000, …` }]]);
    expect(said(states("  a: {command: x, on_success: d, on_failure: {message: no}, depends_on: [zzzz]}\n"))).toEqual([
      {
        code,
        message: 'state "zzzz" does not exist',
        expected: "one of a, d",
        path: "states.a.depends_on[0]",
        at: "zzzz",
      },
    ]);
    expect(said("name: x\nstates:\n  initial: aa\n")).toMatchObject([
      { code: "INVALID_TRANSITION" },
      { code, expected: "a state" },
    ]);
  });

  test("one that is like no other may lead anywhere: of what it leads to nothing is said", () => {
    const first = (fields: string): string[] =>
      (said(states(`  a: {command: x, ${fields}}\n${step("b", "command: x", "d")}`)) as { code: string }[]).map(
        (each) => each.code,
      );
    expect(first("on_success: zzzz")).toEqual([code]);
    expect(first("on_success: d, depends_on: [zzzz]")).toEqual([code, "UNREACHABLE_STATE"]);
    // What is meant is known: nothing leads to `b`.
    expect(first("on_success: dd")).toEqual([code, "UNREACHABLE_STATE"]);
  });

  test("a file of AWF loads where a body leads nowhere: that becomes an end that fails", () => {
    const ofBody = (way: string, more = ""): string =>
      `name: x\nstates:\n  initial: l\n  l: {${way}, on_complete: d}\n  b: {type: step, command: x, on_success: gone, on_failure: lost, depends_on: [none, l]}\n${more}  d: {type: terminal}\n`;
    const end = (name: string): object => ({
      type: "terminal",
      name,
      status: "failure",
      message: `state ${name} does not exist`,
      exitCode: 3,
    });
    for (const way of ["type: for_each, items: [1], body: [b]", 'type: while, while: "true", body: [b]']) {
      const source = ofBody(way, "  c: {command: x, on_success: d, depends_on: [none2]}\n");
      const { workflow } = parse(source, { awf: true });
      expect(Object.keys(workflow?.states ?? {})).toEqual(["l", "b", "c", "d", "gone", "lost"]);
      expect(workflow?.states).toMatchObject({
        b: { dependsOn: ["l"] },
        c: { dependsOn: [] },
        gone: end("gone"),
        lost: end("lost"),
      });
      expect(said(source, true)).toMatchObject([
        { severity: "warning", path: "states.b.on_success" },
        { severity: "warning", path: "states.b.on_failure" },
        { severity: "warning", path: "states.b.depends_on[0]" },
        { severity: "warning", path: "states.c.depends_on[0]" },
      ]);
      expect(parse(source).workflow).toBeNull();
    }
  });

  test("it does not load where a branch leads nowhere, or a body has a state that is not there", () => {
    const load = (way: string): [boolean, object[]] => {
      const source = states(`  a: {${way}}\n  b: {type: step, command: x, on_success: gone}\n`);
      return [parse(source, { awf: true }).workflow === null, said(source, true)];
    };
    const missing = (name: string, path: string, severity?: "warning"): object => ({
      code,
      ...(severity === undefined ? {} : { severity }),
      message: `state "${name}" does not exist`,
      expected: "one of a, b, d",
      path: `states.${path}`,
      at: name,
    });
    expect(load("parallel: [b], on_success: d")).toEqual([true, [missing("gone", "b.on_success")]]);
    expect(load("type: for_each, items: [1], body: [b, none], on_complete: none")).toEqual([
      true,
      [missing("none", "a.body[1]"), missing("none", "a.on_complete"), missing("gone", "b.on_success", "warning")],
    ]);
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
