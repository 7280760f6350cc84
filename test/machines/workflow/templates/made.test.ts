/** Covers `expand.ts`, `instantiate.ts`, `substitute.ts`, `read.ts`: the whole of what stands in place of a step, and of what is said. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../machines/model.ts";
import { FILE_LIMITS, type FileLimits } from "../../../../machines/workflow/limits.ts";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";
import { Report } from "../../../../machines/workflow/report.ts";
import { expandTemplates } from "../../../../machines/workflow/templates/expand.ts";
import { lowerTemplate } from "../../../../machines/workflow/templates/read.ts";
import { placeholders, substitute } from "../../../../machines/workflow/templates/substitute.ts";
import { locate } from "../../../../machines/workflow/yaml/located.ts";
import { readYaml } from "../../../../machines/workflow/yaml/read.ts";

type Files = { [name: string]: string };
/** What the states become, what is found, and which files were read. */
function expanded(states: string, files: Files, limits: Partial<FileLimits> = {}) {
  const source = `name: x\nstates:\n${states.replace(/^/gm, "  ")}\n`;
  const report = new Report(source, false, 100);
  const all = { ...FILE_LIMITS, ...limits };
  const { root } = readYaml(source, FILE_LIMITS);
  if (root === null) throw new Error("not read");
  report.root = root;
  const asked: string[] = [];
  const from = (name: string): string | null => {
    asked.push(name);
    return files[name] ?? null;
  };
  const made = expandTemplates(root, report, from, all);
  const found = report.findings().map(({ code, message, expected, suggestion, severity, range }) => ({
    code: code.split(".").at(-1),
    severity,
    message,
    ...(expected === undefined ? {} : { expected }),
    ...(suggestion === undefined ? {} : { suggestion }),
    at: source.slice(range.start, range.end),
  }));
  return { states: (made.value as { states: Json }).states, found, asked, same: made === root, value: made.value };
}
const template = (states: string, head = ""): string => `name: t\n${head}states:\n${states.replace(/^/gm, "  ")}\n`;
const use = (more = ""): string => `a: {use_template: t, on_success: d, on_failure: f${more}}`;

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

describe("parameters", () => {
  const head =
    "parameters: [{name: p, required: true}, {name: q, default: [1, 2]}, {name: r}, {name: z, default: 0}]\n";
  test("given, by default, and empty; a list stays one where it stands alone", () => {
    const body =
      "s: {command: 'x {{parameters.p}} {{ .parameters.q }} {{- parameters.r -}} {{parameters.none}}', items: ' {{parameters.q}} ', z: '{{parameters.z}}'}";
    expect(expanded(use(", parameters: {p: {k: v}, r: null}"), { t: template(body, head) }).states).toEqual({
      a: { command: 'x {"k":"v"} [1,2]', items: [1, 2], z: 0, on_success: "d", on_failure: "f" },
    });
  });

  test.each([
    ["a \n {{- parameters.p -}} \t b", "aPb"],
    ["a {{ parameters.p }} b", "a P b"],
    ["a {{- parameters.p }} {{parameters.p -}}  {{- parameters.p}} b", "aP PP b"],
    ["a\u00a0 {{- parameters.p -}} \u00a0b", "a\u00a0P\u00a0b"],
  ])("the blanks beside one go where its braces say so: %j", (text, made) => {
    expect(substitute(text, new Map([["p", "P"]]))).toBe(made);
  });

  test("one that is lacking, and one that is not known", () => {
    const step = use(", parameters: {qq: 1, p: null}");
    const { states, found } = expanded(step, { t: template("s: {command: x}", head) });
    expect(found).toEqual([
      {
        code: "BAD_USE_OF_TEMPLATE",
        severity: "error",
        message: 'template "t" needs parameter "p"',
        expected: "parameters.p",
        at: "parameters",
      },
      {
        code: "BAD_USE_OF_TEMPLATE",
        severity: "error",
        message: 'template "t" has no parameter "qq"',
        expected: "one of p, q, r, z",
        suggestion: "q",
        at: "qq",
      },
    ]);
    expect(states).toMatchObject({ a: { use_template: "t" } });
    expect(expanded(use(", parameters: {p: 1}"), { t: template("s: {command: x}") }).found).toMatchObject([
      { message: 'template "t" has no parameter "p"', expected: "no parameters" },
    ]);
  });

  test("placeholders and where they stand", () => {
    expect(placeholders("a {{parameters.b}}{{- .parameters.c-d }} {{.parameters}} {{parameters.1}}")).toEqual([
      { name: "b", range: { start: 2, end: 18 } },
      { name: "c-d", range: { start: 18, end: 40 } },
    ]);
    const values = new Map<string, Json>([["a", null]]);
    expect(substitute({ x: ["{{parameters.a}}", 1, null], y: "{{parameters.b}}" }, values)).toEqual({
      x: ["{{parameters.a}}", 1, null],
      y: "{{parameters.b}}",
    });
  });
});

describe("templates that cannot be used", () => {
  const said = (files: Files, limits: Partial<FileLimits> = {}) => expanded(use(), files, limits).found;
  test("none of that name, itself again, too deep, and one with a fault", () => {
    expect(said({})).toEqual([
      {
        code: "BAD_USE_OF_TEMPLATE",
        severity: "error",
        message: 'there is no template "t"',
        expected: "a file templates/t.yaml",
        at: "t",
      },
    ]);
    expect(said({ t: template("s: {use_template: t}") })).toEqual([
      { code: "BAD_USE_OF_TEMPLATE", severity: "error", message: 'template "t" uses itself', at: "t" },
    ]);
    expect(said({ t: "name: t\nstates: {s: {command: x}}\nparameters: 3\n" })).toEqual([
      {
        code: "BAD_USE_OF_TEMPLATE",
        severity: "error",
        message: 'template "t", line 3: "parameters" must be a list of parameters, each with a name, not 3',
        expected: "a list of parameters, each with a name",
        at: "t",
      },
    ]);
  });

  test("eight of them in each other are the most", () => {
    const chain = (most: number): Files =>
      Object.fromEntries(
        Array.from({ length: most }, (_, i) => [
          i === 0 ? "t" : `t${i}`,
          `name: ${i === 0 ? "t" : `t${i}`}\nstates:\n  s: ${i === most - 1 ? "{command: x}" : `{use_template: t${i + 1}}`}\n`,
        ]),
      );
    expect(said(chain(8))).toEqual([]);
    expect(said(chain(9)).map(({ message }) => message)).toEqual(["templates are nested deeper than 8"]);
  });

  test("a field that nobody knows is no reason, and is told", () => {
    const source = "name: t\nicon: y\nparameters: [{name: p, requird: true}]\nstates: {s: {command: x}}\n";
    expect(said({ t: source })).toEqual([
      {
        code: "UNKNOWN_FIELD",
        severity: "warning",
        message: 'template "t", line 2: the template has no field "icon"',
        at: "t",
      },
      {
        code: "UNKNOWN_FIELD",
        severity: "warning",
        message: 'template "t", line 3: "requird" is not known here',
        expected: "one of required, default, description, type",
        suggestion: "required",
        at: "t",
      },
    ]);
  });

  test("a parameter that is not declared is told once, with its line", () => {
    const source =
      "name: t\nparameters: [{name: word}]\nstates:\n  s:\n    command: |\n      echo {{.parameters.word}}\n      echo {{.parameters.wrod}} {{parameters.wrod}}\n";
    const told = {
      code: "UNDEFINED_NAME",
      message: 'template "t", line 7: parameter "wrod" is not declared',
      expected: "one of word",
      suggestion: "word",
      at: "t",
    };
    expect(said({ t: source })).toEqual([{ severity: "error", ...told }]);
    const text = `name: x\nstates:\n  initial: a\n  a: {use_template: t, on_success: d}\n  d: {type: terminal}\n`;
    const parsed = (awf: boolean) =>
      parseWorkflow(text, { file: null, awf, templateSource: () => source }).findings.map(
        ({ severity, message }) => `${severity} ${message}`,
      );
    expect(parsed(false)).toEqual([`error ${told.message}`]);
    expect(parsed(true)).toEqual([
      `warning ${told.message}`,
      'warning template "t", line 5: "parameters" is known in template files only, and there alone in its braces',
    ]);
  });

  test("a fault of what it makes says where it is written", () => {
    const source =
      "name: t\nstates:\n  s:\n    command: echo\n    on_success: more\n  more:\n    command: echo {{.inputs.x}}\n    transitions:\n      - goto: nowhere\n";
    const text = `name: x\nstates:\n  initial: a\n  a: {use_template: t, on_failure: g}\n  d: {type: terminal}\n`;
    const { findings } = parseWorkflow(text, { file: null, awf: false, templateSource: () => source });
    expect(findings.map(({ line, message }) => `${line} ${message}`)).toEqual([
      '4 template "t", line 9: state "nowhere" does not exist',
      '4 template "t", line 7: input "x" is not declared',
      '4 state "g" does not exist',
    ]);
  });

  test("one that has a field it needs under a misspelt name is refused", () => {
    const refused = (message: string, expected: string) => [
      { code: "BAD_USE_OF_TEMPLATE", severity: "error", message: `template "t", line ${message}`, expected, at: "t" },
    ];
    expect(said({ t: "name: t\nstats: {s: {command: x}}\n" })).toEqual(
      refused('2: the template has no field "stats"', "states"),
    );
    expect(said({ t: "nam: t\nicon: y\nstates: {s: {command: x}}\n" })).toEqual(
      refused('1: the template has no field "nam"', "name"),
    );
  });

  test("templates are told apart by their files, whatever names stand in them", () => {
    const inner = "name: u\nstates: {s: {command: x}}\n";
    expect(expanded(use(), { t: "name: u\nstates: {s: {use_template: u}}\n", u: inner })).toMatchObject({
      states: { a: { command: "x", on_success: "d", on_failure: "f" } },
      found: [],
      asked: ["t", "u"],
    });
    expect(said({ t: "name: u\nstates: {s: {use_template: t}}\n" }).map(({ message }) => message)).toEqual([
      'template "t" uses itself',
    ]);
  });

  test("no name of a template, and one that cannot be read", () => {
    expect(
      expanded("a: {use_template: [t]}", { t: template("s: {command: x}") }).found.map((each) => each.message),
    ).toEqual(['there is no template ""']);
    expect(said({ t: "name: t\nstates: {s: [\n" })).toMatchObject([{ code: "BAD_USE_OF_TEMPLATE", at: "t" }]);
  });

  test("a template is read once, however many steps use it (I2)", () => {
    const { asked } = expanded(
      "a: {use_template: t}\nb: {use_template: t}\nc: {use_template: no}\ne: {use_template: no}",
      {
        t: template("s: {command: x}"),
      },
    );
    expect(asked).toEqual(["t", "no"]);
  });

  test("all that they put in is bounded; a step beyond that stays as it is (I1)", () => {
    // {s: {command: x}} and the value of p: 3 and 1 for each step.
    const files = { t: template("s: {command: '{{parameters.p}}'}", "parameters: [{name: p}]\n") };
    const five = ["a", "b", "c", "e", "g"].map((name) => `${name}: {use_template: t}`).join("\n");
    expect(expanded(five, files, { nodes: 20 }).found).toEqual([]);
    const { states, found } = expanded(five, files, { nodes: 19 });
    expect(found).toEqual([
      { code: "LIMIT_EXCEEDED", severity: "error", message: "templates put in more than 19 keys and items", at: "t" },
    ]);
    expect(states).toMatchObject({ a: { command: "" }, e: { command: "" }, g: { use_template: "t" } });
    // The list itself, one in it with one item, and fourteen more.
    const list = (more: number): string => `[[0], ${Array.from({ length: more }, (_, i) => i).join(", ")}]`;
    const given = (more: number) => expanded(use(`, parameters: {p: ${list(more)}}`), files, { nodes: 20 }).found;
    expect([given(14), given(15).length]).toEqual([[], 1]);
  });
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
