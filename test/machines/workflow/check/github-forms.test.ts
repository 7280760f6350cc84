/** Covers `github-forms.ts`: what GitHub's workflows write is no value here, and is said to be none. */
import { expect, test } from "vitest";
import { said, states, step } from "./said.ts";

const HEAD = "inputs: [{name: x, default: a}, {name: price, default: b}]\n";
const saidOf = (prompt: string) =>
  said(states(step("a", `type: agent, provider: understudy, prompt: '${prompt}'`, "d"), HEAD));
const warning = (written: string, instead: string) => ({
  code: "BAD_TEMPLATE",
  severity: "warning",
  message: `the "$" before "${written}" stays in the text: \${{ … }} is GitHub's form`,
  expected: `${instead}, without the "$"`,
  suggestion: undefined,
  path: "states.a.prompt",
  at: `$${written}`,
});

test("a value in GitHub's form is told, each with what to write", () => {
  expect(saidOf("Say ${{ inputs.x }} and ${{workflow.Name}}")).toEqual([
    warning("{{ inputs.x }}", "{{.inputs.x}}"),
    warning("{{workflow.Name}}", "{{.workflow.Name}}"),
  ]);
});

test("a dollar before a value of ours may be meant", () => {
  expect(saidOf("It costs ${{.inputs.price}}, {{ inputs.x }}")).toEqual([]);
});

test("in a command the dollar is refused, once", () => {
  expect(said(states(step("a", "type: command, command: 'echo ${{ inputs.x }}'", "d"), HEAD))).toMatchObject([
    { code: "VALUE_AS_CODE", message: expect.stringContaining('a "$" stands before the template') },
  ]);
});
