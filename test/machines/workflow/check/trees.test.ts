import { expect, it } from "vitest";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";

const told = (of: string, tree = of) =>
  parseWorkflow(
    `name: w
states:
  initial: fix
  fix: {type: step, command: "true", isolation: worktree, on_success: plain}
  plain: {type: step, command: "true", on_success: more}
  more: {type: step, command: "true", isolation: {worktree: {of: "${of}"}}, on_success: merge}
  merge: {type: operation, operation: worktree.merge, inputs: {tree: "${tree}"}, on_success: done}
  done: {type: terminal}
`,
    { file: null, awf: false },
  ).findings.map(({ message, line, expected }) => ({ message, line, expected }));

it.each(["fix", "more", "{{.inputs.which}}", "troupe/r1/fix"])("`of` may name another step's tree: %s", (of) => {
  expect(told(of).filter(({ message }) => message.includes("worktree"))).toEqual([]);
});

it.each([
  ["fxi", 'there is no step "fxi" that leaves a worktree'],
  ["plain", 'step "plain" works in no worktree of its own'],
])("`of` may not name a step without one: %s", (of, message) => {
  const expected = "one of fix, more, or a branch";
  expect(told(of)).toEqual([
    { message, line: 6, expected },
    { message, line: 7, expected },
  ]);
});
