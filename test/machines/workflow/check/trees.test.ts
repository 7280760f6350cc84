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

it.each([
  ["fix", "more"],
  ["{{.inputs.which}}", "troupe/r1/fix"],
  ["troupe/r1/fix", "{{.inputs.which}}"],
])("`of` may name another step's tree: %s, %s", (of, tree) => {
  expect(told(of, tree).filter(({ message }) => message.includes("worktree"))).toEqual([]);
});

it("`of` may name no step that comes later, itself included", () => {
  const line = 6;
  const expected = "a step that runs earlier";
  expect(told("more", "fix")).toEqual([
    { message: '"more" goes on in the worktree of "more", which cannot have run before it', line, expected },
  ]);
});

it("`of` may name a step that an earlier round has run", () => {
  const { findings } = parseWorkflow(
    `name: w
states:
  initial: fix
  fix: {type: step, command: "true", isolation: worktree, on_success: try}
  try: {type: step, command: "true", isolation: {worktree: {of: again}}, on_success: done, on_failure: again}
  again: {type: step, command: "true", isolation: {worktree: {of: fix}}, on_success: try}
  done: {type: terminal}
`,
    { file: null, awf: false },
  );
  expect(findings).toEqual([]);
});

it.each([
  ["fxi", 'there is no step "fxi" that leaves a worktree'],
  ["plain", 'step "plain" works in no worktree of its own'],
])("`of` may not name a step without one: %s", (of, message) => {
  expect(told(of)).toEqual([
    { message, line: 6, expected: "one of fix, or a branch" },
    { message, line: 7, expected: "one of fix, more, or a branch" },
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
