import { expect, test } from "vitest";
import { expressionEnv } from "../../../machines/workflow/expression-env.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

const names = (when: string): string[] => {
  const source = `name: x\nenv: [DECLARED]\nstates:\n  initial: a\n  a:\n    command: echo {{.env.IN_TEMPLATE}}\n    transitions: [{when: ${JSON.stringify(when)}, goto: done}, {goto: done}]\n  done: {type: terminal}\n`;
  const { workflow } = parseWorkflow(source, { file: null, awf: true });
  if (workflow === null) throw new Error("the workflow cannot be read");
  return expressionEnv(workflow);
};

test("lists only variables that an expression names, each once", () => {
  expect(names('env.CI == "1" and env["STAGE"] != env.CI')).toEqual(["CI", "STAGE"]);
  expect(names("inputs.env == 'x'")).toEqual([]);
});

test("a computed name can only be a declared one", () => expect(names("env[inputs.x] == '1'")).toEqual(["DECLARED"]));
