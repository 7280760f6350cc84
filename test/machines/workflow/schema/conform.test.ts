/** Unknown fields below a step's own: which field was meant, and one message for one mistake. */
import { expect, test } from "vitest";
import { parse } from "../fixtures.ts";

const flow = (step: string): string =>
  `name: w\nstates:\n  initial: a\n  a: {${step}, on_success: z}\n  z: {type: terminal}\n`;

test.each([
  ["command: x, retry: {max_attempt: 3}", "max_attempt", "max_attempts"],
  ["command: x, approval: {on_dney: skip}", "on_dney", "on_deny"],
  ["command: x, hooks: {post: [{logg: x}]}", "logg", "log"],
  ["command: x, isolation: {worktree: {frm: head}}", "frm", "from"],
  // A required field that is missing is the one that was meant, whatever the unknown one is called.
  ["provider: claude, prompt: x, skills: [{name: audit}]", "name", "path"],
  ["command: x, transitions: [{when: 'true', to: z}]", "to", "goto"],
  // What other languages call it.
  ["command: x, transitions: [{if: 'true', goto: z}]", "if", "when"],
  ["command: x, hooks: {on_start: [{log: x}]}", "on_start", "pre"],
  ["command: x, hooks: {after: [{log: x}]}", "after", "post"],
  // A field that is already there is not suggested.
  ["command: x, retry: {backoff: linear, backof: linear}", "backof", undefined],
  ["command: x, retry: {wholly_other: 1}", "wholly_other", undefined],
])("%s", (step, unknown, suggestion) => {
  const { findings } = parse(flow(step));
  expect(findings.map(({ code, message, suggestion: meant }) => [code, message, meant])).toEqual([
    ["WORKFLOW.PARSE.UNKNOWN_FIELD", `"${unknown}" is not known here`, suggestion],
  ]);
  expect(findings[0]?.expected).toMatch(/^(one of \w+(, \w+)+|\w+)$/);
});

test.each([
  ["on_start", "workflow_start"],
  ["before", "workflow_start"],
  ["pre", "workflow_start"],
  ["on_end", "workflow_end"],
  ["on_error", "workflow_error"],
  ["on_failure", "workflow_error"],
  ["on_cancel", "workflow_cancel"],
])("a workflow's hook that others call %s is %s", (name, meant) => {
  const { findings } = parse(flow("command: x").replace("states:", `hooks: {${name}: [{log: x}]}\nstates:`));
  expect(findings.map(({ message, suggestion }) => [message, suggestion])).toEqual([
    [`"${name}" is not known here`, meant],
  ]);
});

test.each([
  ["command: x, depends_on: z", "[z]"],
  ["parallel: 'z, y'", "[z, y]"],
  ["items: [1], body: show", "[show]"],
  ["items: [1], body: the first one", undefined],
])("a name where a list of them belongs is shown with its brackets: %s", (step, suggestion) => {
  const [first] = parse(flow(step)).findings;
  expect([first?.message, first?.suggestion]).toEqual([expect.stringContaining("must be a list of names"), suggestion]);
});

test("a list of steps is told what to write in its place", () => {
  const { findings } = parse("name: w\nsteps:\n  - {name: a, run: x}\n");
  expect(findings.map(({ message, expected, suggestion }) => [message, expected, suggestion])).toEqual([
    ['the workflow has no field "steps"', "a map of states by name, with initial: the name of the first", "states"],
  ]);
});

test("of two unknown fields neither is taken for the one that is required", () => {
  const { findings } = parse(flow("provider: claude, prompt: x, skills: [{name: audit, where: here}]"));
  expect(findings.map(({ code, message }) => `${code.split(".").at(-1)} ${message}`).sort()).toEqual([
    'MISSING_FIELD "path" is missing here',
    'UNKNOWN_FIELD "name" is not known here',
    'UNKNOWN_FIELD "where" is not known here',
  ]);
});

test("a file of AWF's, where unknown fields are ignored, is still refused for a missing one", () => {
  const { findings } = parse(flow("type: agent, provider: claude, prompt: x, skills: [{pth: audit}]"), { awf: true });
  expect(findings.map(({ code, severity }) => `${severity} ${code.split(".").at(-1)}`).sort()).toEqual([
    "error MISSING_FIELD",
    "warning UNKNOWN_FIELD",
  ]);
});

test("a step template that is taken for a workflow says where it is checked", () => {
  const { findings } = parse(`name: t\nparameters: [{name: a}]\nstates:\n  initial: d\n  d: {type: terminal}\n`);
  expect(findings.map(({ message, expected }) => ({ message, expected }))).toEqual([
    {
      message: 'the workflow has no field "parameters"',
      expected: "inputs; a step template, which has parameters, is checked where a step uses it",
    },
  ]);
});

test.each([
  ["choices: [x], type: choice", "string"],
  ["choices: [x], type: select", "string"],
  ["type: confirm", "boolean"],
])("the type of a question that others have, %s, is %s", (fields, meant) => {
  const { findings } = parse(flow(`type: ask, questions: [{name: a, prompt: P, ${fields}}]`));
  expect(findings.map(({ suggestion }) => suggestion)).toEqual([meant]);
});

test("the answers to choose from belong to a question", () => {
  const { findings } = parse(flow("type: ask, questions: [{name: a, prompt: P}], options: [x, y]"));
  expect(findings.map(({ message, suggestion }) => [message, suggestion])).toEqual([
    ['ask step "a" has no field "options"', "questions.choices"],
  ]);
});

test.each([
  ["expo", "exponential"],
  ["fixed", "constant"],
])("a backoff that others call %s is %s", (given, meant) => {
  const { findings } = parse(flow(`command: x, retry: {max_attempts: 2, backoff: ${given}}`));
  expect(findings.map(({ suggestion }) => suggestion)).toEqual([meant]);
});

test("another language's word for a value is known", () => {
  const { findings } = parse(
    "name: w\nstates:\n  initial: a\n  a: {parallel: [b], strategy: all, on_success: z}\n  b: {command: x}\n  z: {type: terminal}\n",
  );
  expect(findings.map(({ suggestion }) => suggestion)).toEqual(["all_succeed"]);
});

test.each([
  ["isolation: true", "worktree"],
  ["isolation: false", undefined],
  ["isolation: container", undefined],
])("%s", (field, suggestion) => {
  const { findings } = parse(flow(`command: x, ${field}`));
  expect(findings.map(({ code, suggestion: meant }) => [code, meant])).toEqual([
    ["WORKFLOW.PARSE.INVALID_FIELD", suggestion],
  ]);
});
