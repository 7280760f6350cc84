/** Covers `read.ts` and `expand.ts`: templates that cannot be used, and what is said of them. */
import { describe, expect, test } from "vitest";
import type { FileLimits } from "../../../../machines/workflow/limits.ts";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";
import { expanded, type Files, template, use } from "./expanded.ts";

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
