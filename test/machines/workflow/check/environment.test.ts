/** Variables of the environment that are not set where a workflow is checked: those it declares, those its texts need. */
import { expect, test } from "vitest";
import { checkEnvironment } from "../../../../machines/workflow/check/environment.ts";
import { documentOf, parse } from "../fixtures.ts";
import { states, step } from "./said.ts";

const SET: { readonly [name: string]: string } = { HOME: "/home/ada", EMPTY: "" };
const told = (lines: string, head = ""): string[] => {
  const source = states(lines, head);
  return checkEnvironment(documentOf(source), source, (name) => SET[name]).map(
    ({ severity, message, path }) => `${severity} ${/variable (\w+)/.exec(message)?.[1]} ${path}`,
  );
};

test("those that are declared must hold something", () => {
  expect(told(step("a", "command: x", "d"), "env: [HOME, EMPTY, NONE]\n")).toEqual([
    "warning EMPTY env[1]",
    "warning NONE env[2]",
  ]);
});

test("those that a text cannot be rendered without are told at the first, once, also where the file declares nothing", () => {
  const lines = `${step("a", "command: 'echo {{.env.HOME}} {{.env.EMPTY}} {{env.NONE}}'", "b")}${step("b", "command: 'echo {{.env.NONE}}'", "d")}`;
  expect(told(lines)).toEqual(["warning NONE states.a.command"]);
  expect(told(lines, "env: [NONE]\n")).toEqual(["warning NONE env[0]"]);
  expect(told(step("a", "command: x", "d"), 'outputs: {o: "{{.env.NONE}}"}\n')).toEqual(["warning NONE outputs.o"]);
});

test.each([
  `command: 'echo {{index .env "NONE"}}'`,
  `command: 'echo {{if index .env "NONE"}}{{.env.NONE}}{{end}}'`,
  `command: 'echo {{index .env "NONE" | default "x"}}'`,
  `command: x, transitions: [{when: 'env.NONE == "x"', goto: d}]`,
])("what may be left out is not: %s", (fields) => {
  expect(told(step("a", fields, "d"))).toEqual([]);
});

test("an input that a command reads as a variable is warned of, but in AWF's places, where it is one", () => {
  const source = (env: string) =>
    `name: x\n${env}inputs: [{name: version}]\nstates:\n  initial: a\n  a: {command: 'git log "$version"', on_success: d}\n  d: {type: terminal}\n`;
  const told = (env: string, awf: boolean): string[] =>
    parse(source(env), { awf }).findings.map(
      ({ severity, message, expected }) => `${severity} ${message}: ${expected}`,
    );
  expect(told("", false)).toEqual([
    "warning $version is a variable of the shell, and no input: nothing sets it here: {{.inputs.version}}",
  ]);
  expect(told("", true)).toEqual([]);
  expect(told("env: [version]\n", false)).toEqual([]);
});
