/** One mistake in the shape of a file is one message: a template, an input, a start, states, or YAML itself. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIXTURES, parse } from "../fixtures.ts";

const told = (source: string, awf = false): string[] =>
  parse(source, { awf }).findings.map(({ line, message, suggestion }) => `${line} ${message} -> ${suggestion ?? "-"}`);
const steps = (lines: string): string => `name: x\nstates:\n  initial: a\n${lines}  done: {type: terminal}\n`;

describe("one cause, one message", () => {
  it.each([
    "{type: step, command: {{.inputs.n}}, on_success: done}",
    "\n    type: step\n    command: {{.inputs.n}}\n    on_success: done",
  ])("a template without quotes: %j", (step) => {
    const inputs = "inputs:\n  - {name: n, type: string, validation: {pattern: '^[a-z]+$'}}\n";
    const findings = told(`${inputs}${steps(`  a: ${step}\n`)}`);
    expect(findings).toEqual([expect.stringMatching(/^\d a key must be a plain name -> -$/)]);
  });

  it.each([
    ["{command: x, env: {A: b}, on_success: done}", /^NAME="value" before the program/],
    ["{type: agent, provider: claude, prompt: x, env: {A: b}, on_success: done}", /^env in its options$/],
    [
      "{command: x, transitions: [{when: env.X == prod, goto: done}], on_success: done}",
      /^'prod' in quotes where it is a text/,
    ],
    ["{command: x, if: success(), on_success: done}", /^transitions of the state that leads here/],
    ["{command: x, timeout-minutes: 5, on_success: done}", /timeout: 5m$/],
  ])("what is done otherwise here: %s", (step, expected) => {
    const { findings } = parse(steps(`  a: ${step}\n`));
    expect(findings.map((each) => each.expected)).toEqual([expect.stringMatching(expected)]);
  });

  it.each(["secret", "sensitive"])("an input is a secret by its name, not by %s", (word) => {
    const source = `inputs:\n  - {name: db, ${word}: true}\n${steps("  a: {command: x, on_success: done}\n")}`;
    const { findings } = parse(source);
    expect(findings.map(({ message, expected }) => [message, expected])).toEqual([
      [`an input has no field "${word}"`, expect.stringMatching(/^a name that says so, such as db_password/)],
    ]);
  });

  it("an input that cannot be read is reported, and the places that read it are not", () => {
    const head = "inputs:\n  - {nam: file}\n";
    const source = `${head}${steps("  a: {command: 'cat {{.inputs.file}}', on_success: done}\n")}`;
    expect(told(source)).toEqual(['2 an input has no field "nam" -> name']);
  });

  it.each(["inital", "start"])("the start of a run under the name %s", (word) => {
    const source = `name: x\nstates:\n  ${word}: a\n  a: {command: x, on_success: done}\n  done: {type: terminal}\n`;
    expect(told(source)).toEqual(['3 the workflow needs "states.initial" -> initial']);
  });

  it("the start of a run beside the states", () => {
    const source = "name: x\ninitial: a\nstates:\n  a: {command: x, on_success: d}\n  d: {type: terminal}\n";
    expect(told(source)).toEqual(['2 the workflow has no field "initial" -> states.initial']);
  });

  it.each(["comand: x", "run: x", "type: parallel, branches: [b]"])("AWF's file lacks what it needs: {%s}", (step) => {
    const { findings } = parse(steps(`  a: {${step}, on_success: done}\n  b: {command: x}\n`), { awf: true });
    expect(findings.filter(({ severity }) => severity === "error").map(({ code }) => code)).toContain(
      "WORKFLOW.PARSE.MISSING_FIELD",
    );
  });

  it("states that are a list", () => {
    const { findings } = parse("name: x\nstates:\n  - {name: a, command: x}\n");
    expect(findings.map(({ message }) => message)).toEqual([
      '"states" must be a map of states by name, with initial: the name of the first, not a list',
    ]);
  });

  it("states under another name", () => {
    expect(told("name: x\nsteps:\n  initial: a\n")).toEqual(['2 the workflow has no field "steps" -> states']);
  });

  it.each([
    ["number", "integer"],
    ["bool", "boolean"],
  ])("an input's type %s", (word, meant) => {
    const source = `inputs:\n  - {name: n, type: ${word}}\n${steps("  a: {command: x, on_success: done}\n")}`;
    expect(told(source)).toEqual([`2 "${word}" is not a type of input -> ${meant}`]);
  });

  it("a line that is no YAML for two reasons is one message", () => {
    const source = steps("  a:\n    command: ls\n     on_success: done\n");
    expect(parse(source).findings).toHaveLength(1);
  });

  it("a state that is renamed in one place is reported there, in any workflow", () => {
    const named = FIXTURES.flatMap(([file, source]) =>
      [...source.matchAll(/\bon_success: ([\w-]+)/g)].map((match) => ({
        file,
        source,
        at: match.index,
        name: match[1] ?? "",
      })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...named), fc.constantFrom("zzz_unlike_any", "qqqqqqqq"), (one, other) => {
        const at = one.at + "on_success: ".length;
        const source = one.source.slice(0, at) + other + one.source.slice(at + one.name.length);
        const errors = parse(source).findings.filter(({ severity }) => severity === "error");
        expect(errors.map(({ message }) => message)).toEqual([`state "${other}" does not exist`]);
      }),
    );
  });
});
