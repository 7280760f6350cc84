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

const said = (isolation: string, branch = false) =>
  parseWorkflow(
    `name: w
states:
  initial: fix
  fix: {type: step, command: "true", isolation: worktree, on_success: fan}
  fan: {type: parallel, parallel: [${branch ? "more" : "other"}], on_success: ${branch ? "other" : "more"}}
  more: {type: step, command: "true", isolation: {worktree: {${isolation}}}, on_success: done}
  other: {type: step, command: "true", on_success: done}
  mend: {type: step, command: "true", on_success: done}
  done: {type: terminal}
`,
    { file: null, awf: false },
  ).findings.flatMap(({ path }) => (path.includes("isolation") ? [path] : []));

it.each([
  ["of: fix, from: head", "from"],
  ["of: fix, from: dirty", "from"],
  ["of: fix, setup: npm ci", "setup"],
])("what is said in vain beside of is a fault: %s", (isolation, field) => {
  expect(said(isolation)).toEqual([`states.more.isolation.worktree.${field}`]);
});

it("a branch goes nowhere after a conflict", () => {
  expect(said("merge: squash, on_conflict: mend", true)).toEqual(["states.more.isolation.worktree.on_conflict"]);
  expect(said("merge: squash, on_conflict: mend")).toEqual([]);
  expect(said("of: fix, merge: squash")).toEqual([]);
});
