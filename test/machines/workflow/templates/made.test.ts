/** Covers `expand.ts`, `instantiate.ts`: the whole of what stands in place of a step. */
import { describe, expect, test } from "vitest";
import { FILE_LIMITS } from "../../../../machines/workflow/limits.ts";
import { Report } from "../../../../machines/workflow/report.ts";
import { expandTemplates } from "../../../../machines/workflow/templates/expand.ts";
import { lowerTemplate } from "../../../../machines/workflow/templates/read.ts";
import { locate } from "../../../../machines/workflow/yaml/located.ts";
import { readYaml } from "../../../../machines/workflow/yaml/read.ts";
import { expanded, template, use } from "./expanded.ts";

describe("a step's states", () => {
  test("nothing changes where no template is used, and the rest of the file stays as it is", () => {
    expect(expanded("a: {command: x}", {})).toMatchObject({ same: true, asked: [] });
    const made = expanded(use(), { t: template("s: {command: x}") });
    expect([made.same, made.value]).toEqual([
      false,
      { name: "x", states: { a: { command: "x", on_success: "d", on_failure: "f" } } },
    ]);
  });

  test("states of the template stand where the step stood, under its name; ends lead where the step leads", () => {
    const body = `initial: go
go: {command: one, on_success: more, on_failure: bad}
more: {type: for_each, items: [1], body: [each], on_complete: good, depends_on: [go]}
each: {command: two}
sort: {command: three, transitions: [{when: "1", goto: more}, {goto: bad}, odd]}
side: {parallel: [each, elsewhere]}
good: {type: TERMINAL}
bad: {type: terminal, status: failure}`;
    const { states, found } = expanded(`first: {command: x}\n${use()}\nlast: {command: y}`, { t: template(body) });
    expect(found).toEqual([]);
    expect(Object.entries(states as object)).toEqual([
      ["first", { command: "x" }],
      ["a", { command: "one", on_success: "a__more", on_failure: "f" }],
      ["a__more", { type: "for_each", items: [1], body: ["a__each"], on_complete: "d", depends_on: ["a"] }],
      ["a__each", { command: "two", on_success: "d", on_failure: "f" }],
      ["a__sort", { command: "three", transitions: [{ when: "1", goto: "a__more" }, { goto: "f" }, "odd"] }],
      ["a__side", { parallel: ["a__each", "elsewhere"], on_success: "d", on_failure: "f" }],
      ["last", { command: "y" }],
    ]);
  });

  test("an end stays where the step has no such way, or only one of its own", () => {
    const body =
      "s: {command: x, on_success: good, on_failure: bad}\ngood: {type: terminal}\nbad: {type: terminal, status: failure}";
    expect(expanded("a: {use_template: t, on_failure: {message: no}}", { t: template(body) }).states).toEqual({
      a: { command: "x", on_success: "a__good", on_failure: { message: "no" } },
      a__good: { type: "terminal" },
      a__bad: { type: "terminal", status: "failure" },
    });
  });

  test("an end is known by its fields where it has no type", () => {
    const body =
      "s: {command: x, on_success: ask, on_failure: bad}\nask: {questions: [], message: m, on_success: good}\ngood: {message: fine}\nbad: {status: failure}";
    expect(expanded(use(), { t: template(body) }).states).toEqual({
      a: { command: "x", on_success: "a__ask", on_failure: "f" },
      a__ask: { questions: [], message: "m", on_success: "d" },
    });
  });

  test("the first state is `initial`, the one named as the template, or the first one", () => {
    const keys = (body: string): string[] => Object.keys(expanded(use(), { t: template(body) }).states as object);
    expect(keys("one: {command: x}\nt: {command: y}")).toEqual(["a__one", "a"]);
    expect(keys("initial: one\nt: {command: y}\none: {command: x}")).toEqual(["a__t", "a"]);
    expect(keys("initial: nowhere\none: {command: x}\ntwo: {command: y}")).toEqual(["a", "a__two"]);
  });

  test("fields of the step win, but its type, a second kind of work, and a way on that the template has", () => {
    const body = "s: {type: agent, prompt: hi, timeout: 1, on_success: e}\ne: {command: y}";
    expect(
      expanded(use(", type: step, command: dummy, script_file: z, timeout: 2, dir: null, parameters: {}"), {
        t: template(body),
      }).states,
    ).toEqual({
      a: { type: "agent", prompt: "hi", timeout: 2, on_success: "a__e", on_failure: "f" },
      a__e: { command: "y", on_success: "d", on_failure: "f" },
    });
    expect(expanded(use(", type: step, command: mine"), { t: template("s: {timeout: 1}") }).states).toEqual({
      a: { timeout: 1, type: "step", command: "mine", on_success: "d", on_failure: "f" },
    });
  });
});

test("what is no state is no state of the step; names of objects are names as any others", () => {
  const body = `initial: go
go: {command: one, on_success: toString, on_failure: odd}
odd: 7
loop: {type: while, body: [go, 7, null], transitions: [{when: "1"}]}
bye: {type: terminal, status: odd}`;
  expect(expanded(use(), { t: template(body) }).states).toEqual({
    a: { command: "one", on_success: "toString", on_failure: "f" },
    a__loop: {
      type: "while",
      body: ["a", 7, null],
      transitions: [{ when: "1", goto: null }],
    },
  });
});

test("for findings, what the step says stands there, and what the template says at the template's name (I3)", () => {
  const body = `go: {command: one, on_success: more, on_failure: bad, timeout: 1, hooks: {pre: [{log: a}]}}
more: {command: two, on_success: good}
last: {command: three}
good: {type: terminal}
bad: {type: terminal, status: failure}`;
  const source = `states: {a: {use_template: t, on_success: d, on_failure: f, timeout: 2}}`;
  const report = new Report(source, false, 100);
  const { root } = readYaml(source, FILE_LIMITS);
  const made = expandTemplates(root!, report, () => template(body), FILE_LIMITS);
  const at = ({ start, end }: { start: number; end: number }) => source.slice(start, end);
  const states = [...(made.entries?.get("states")?.value.entries ?? [])].map(([name, { key, value }]) => [
    `${name} ${at(key)} ${at(value.range)}`,
    [...(value.entries ?? [])].map(([field, entry]) => `${field} ${at(entry.key)}: ${at(entry.value.range)}`),
  ]);
  expect(states).toEqual([
    [
      "a a {use_template: t, on_success: d, on_failure: f, timeout: 2}",
      ["command t: t", "on_success t: t", "on_failure on_failure: f", "timeout timeout: 2", "hooks t: t"],
    ],
    ["a__more a t", ["command t: t", "on_success on_success: d"]],
    ["a__last a t", ["command t: t", "on_success on_success: d", "on_failure on_failure: f"]],
  ]);
  const { written, ...log } = locate(made, ["states", "a", "hooks", "pre", 0, "log"]).located;
  expect(log).toEqual({ value: "a", range: { start: 27, end: 28 }, scalar: { style: "foreign", text: "a" } });
  expect(written?.()).toBe('template "t", line 3');
  expect(at(made.range)).toBe(source);
  expect(at(made.entries!.get("states")!.key)).toBe("states");
});

test("a template without states", () => {
  const source = "name: t\nstates: {initial: a}\n";
  const report = new Report(source, false, 100);
  const { root } = readYaml(source, FILE_LIMITS);
  report.root = root!;
  expect(lowerTemplate(root!, report, "t")).toBeNull();
  expect(report.findings()).toMatchObject([
    {
      code: "WORKFLOW.PARSE.MISSING_FIELD",
      severity: "error",
      message: "the template has no states",
      expected: "a state",
      path: "states",
      range: { start: 8, end: 14 },
    },
  ]);
});
