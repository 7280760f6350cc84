/** Covers `texts.ts`: every text of a document that is rendered or evaluated, with its place. */
import { describe, expect, test } from "vitest";
import { nodeTexts, type Text, workflowTexts } from "../../../machines/workflow/texts.ts";
import { parse } from "./fixtures.ts";

/** One line a text: where, what, when, and who reads it. */
const shown = (texts: readonly Text[]): string[] =>
  texts.map(({ kind, text, path, moment, reader }) =>
    [`${path.join("/")}: ${text}`, `(${[kind, moment, ...(reader === undefined ? [] : [reader])].join(", ")})`].join(
      " ",
    ),
  );
function documentOf(source: string) {
  const { workflow, findings } = parse(source);
  if (workflow === null) throw new Error(findings.map(({ message }) => message).join("; "));
  return workflow;
}
/** The texts of a state that ends well in `d`. */
function textsOf(state: string): string[] {
  const lines = state.trim().split("\n");
  const body = lines.map((line) => `    ${line}\n`).join("");
  const { states } = documentOf(
    `name: x\nstates:\n  initial: a\n  a:\n${body}  d: {type: terminal}\n  f: {type: terminal, status: failure}\n  one: {type: command, command: "true"}\n`,
  );
  return shown(nodeTexts(states["a"]!));
}

describe("the texts of a node", () => {
  test("what every step has stands around its own work: hooks, approval, tree, conditions", () => {
    expect(
      textsOf(`
type: command
command: echo c
dir: d
hooks: {pre: [{log: p0}, {command: p1}], post: [{log: q0}, {command: q1}]}
approval: {message: may I}
isolation: {worktree: {from: main, setup: npm ci}}
transitions: [{when: "1 == 1", goto: d}, {goto: f}]
`),
    ).toEqual([
      "hooks/pre/0/log: p0 (template, enter)",
      "hooks/pre/1/command: p1 (template, enter, shell)",
      "approval/message: may I (template, enter)",
      "isolation/worktree/from: main (template, enter)",
      "isolation/worktree/setup: npm ci (template, enter, shell)",
      "command: echo c (template, enter, shell)",
      "dir: d (template, enter)",
      "hooks/post/0/log: q0 (template, exit)",
      "hooks/post/1/command: q1 (template, exit, shell)",
      "transitions/0/when: 1 == 1 (expression, exit)",
    ]);
  });

  test("a script of a file", () => {
    expect(textsOf("type: command\nscript_file: s.sh\non_success: d")).toEqual(["script_file: s.sh (template, enter)"]);
  });

  test("a step that needs nothing more has its command alone", () => {
    expect(textsOf('type: command\ncommand: "true"\napproval: true\non_success: d')).toEqual([
      "command: true (template, enter, shell)",
    ]);
  });

  test("an agent: whom, what, its system prompt, role, options, and who takes its place", () => {
    expect(
      textsOf(`
type: agent
provider: claude
prompt: say
system_prompt: be kind
role: editor
skills: [audit, {path: "{{.states.one.Output}}"}]
options: {model: m, list: [x, 1, true, null], deep: {more: [y]}}
fallback: [{provider: codex, model: n}, {model: o, options: {deep: z}}]
on_success: d
`),
    ).toEqual([
      "provider: claude (template, enter)",
      "prompt: say (template, enter)",
      "system_prompt: be kind (template, enter)",
      "role: editor (template, enter)",
      "skills/0: audit (template, enter)",
      "skills/1/path: {{.states.one.Output}} (template, enter)",
      "options/model: m (template, enter)",
      "options/list/0: x (template, enter)",
      "options/deep/more/0: y (template, enter)",
      "fallback/0/provider: codex (template, enter)",
      "fallback/0/model: n (template, enter)",
      "fallback/1/model: o (template, enter)",
      "fallback/1/options/deep: z (template, enter)",
    ]);
    expect(textsOf("type: agent\nprovider: claude\nprompt_file: p.md\non_success: d")).toEqual([
      "provider: claude (template, enter)",
      "prompt_file: p.md (template, enter)",
    ]);
  });

  test("an operation and a workflow that is called: their inputs", () => {
    expect(
      textsOf("type: operation\noperation: notify.send\ninputs: {backend: desktop, message: hi}\non_success: d"),
    ).toEqual(["inputs/backend: desktop (template, enter)", "inputs/message: hi (template, enter)"]);
    expect(textsOf("type: call_workflow\nworkflow: child\ninputs: {n: 1, t: two}\non_success: d")).toEqual([
      "workflow: child (template, enter)",
      "inputs/t: two (template, enter)",
    ]);
  });

  test("loops: what they go over, how often, and when they stop", () => {
    expect(
      textsOf(
        'type: for_each\nitems: ["{{.a}}", 2]\nmax_iterations: "{{.n}}"\nbreak_when: "1 == 2"\nbody: [one]\non_complete: d',
      ),
    ).toEqual([
      "items/0: {{.a}} (template, enter)",
      "max_iterations: {{.n}} (template, enter)",
      "break_when: 1 == 2 (expression, exit)",
    ]);
    expect(textsOf('type: for_each\nitems: "{{.list}}"\nbody: [one]\non_complete: d')).toEqual([
      "items: {{.list}} (template, enter)",
    ]);
    expect(textsOf('type: for_each\nmatrix: {a: ["x", "y"], b: "{{.b}}"}\nbody: [one]\non_complete: d')).toEqual([
      "matrix/a/0: x (template, enter)",
      "matrix/a/1: y (template, enter)",
      "matrix/b: {{.b}} (template, enter)",
    ]);
    expect(textsOf('type: while\nwhile: "1 < 2"\nmax_iterations: inputs.n\nbody: [one]\non_complete: d')).toEqual([
      "while: 1 < 2 (expression, exit)",
      "max_iterations: inputs.n (expression, enter)",
    ]);
    expect(textsOf('type: while\nwhile: "1 < 2"\nmax_iterations: 4\nbody: [one]\non_complete: d')).toEqual([
      "while: 1 < 2 (expression, exit)",
    ]);
  });

  test("questions: their message, and each one's words, choices and default", () => {
    expect(
      textsOf(`
type: ask
message: first
questions:
  - {name: p, prompt: which, choices: [x, {value: y, label: z}], default: x}
  - {name: q, prompt: what, choices: "{{.some}}"}
  - {name: r, prompt: why}
on_success: d
`),
    ).toEqual([
      "message: first (template, enter)",
      "questions/0/prompt: which (template, enter)",
      "questions/0/choices/0/value: x (template, enter)",
      "questions/0/choices/1/value: y (template, enter)",
      "questions/0/choices/1/label: z (template, enter)",
      "questions/0/default: x (template, enter)",
      "questions/1/prompt: what (template, enter)",
      "questions/1/choices: {{.some}} (template, enter)",
      "questions/2/prompt: why (template, enter)",
    ]);
    expect(textsOf("type: ask\nquestions: [{name: r, prompt: why}]\non_success: d")).toEqual([
      "questions/0/prompt: why (template, enter)",
    ]);
  });

  test("branches have none of their own; an end has its message", () => {
    expect(textsOf("type: parallel\nparallel: [one]\nstrategy: all_succeed\non_success: d")).toEqual([]);
    const ends = documentOf(
      "name: x\nstates:\n  initial: d\n  d: {type: terminal, message: bye}\n  e: {type: terminal}\n",
    );
    expect(shown(Object.values(ends.states).flatMap(nodeTexts))).toEqual(["message: bye (template, exit)"]);
  });

  test("one that only merges has its inputs alone; another one of a tree has that tree's name", () => {
    const merge = { of: "b", merge: "ask", from: "", setup: null } as never;
    const common = { hooks: { pre: [], post: [] }, approval: null, transitions: [] };
    const operation = {
      ...common,
      type: "operation",
      operation: "worktree.merge",
      inputs: { of: "b" },
      isolation: merge,
    };
    expect(shown(nodeTexts(operation as never))).toEqual(["inputs/of: b (template, enter)"]);
    const of = {
      ...common,
      type: "call_workflow",
      workflow: "w",
      inputs: {},
      isolation: { of: "b", from: "", setup: null },
    };
    expect(shown(nodeTexts(of as never))).toEqual([
      "isolation/worktree/from:  (template, enter)",
      "isolation/worktree/of: b (template, enter)",
      "workflow: w (template, enter)",
    ]);
    const from = { ...operation, isolation: { of: "b", from: "main", setup: null } };
    expect(shown(nodeTexts(from as never))).toEqual([
      "isolation/worktree/from: main (template, enter)",
      "isolation/worktree/of: b (template, enter)",
      "inputs/of: b (template, enter)",
    ]);
  });
});

test("the texts of the workflow itself: servers, tree, outputs, hooks", () => {
  const workflow = documentOf(`name: x
mcp_servers: {files: {command: files, args: [--root, "{{.env.HOME}}"]}}
isolation: {worktree: {from: main, setup: npm ci}}
outputs: {out: "{{.states.a.Output}}"}
hooks:
  workflow_start: [{log: s}]
  workflow_end: [{command: e}]
  workflow_error: [{log: r}]
  workflow_cancel: [{log: c}]
states:
  initial: a
  a: {type: command, command: "true", on_success: d}
  d: {type: terminal}
`);
  expect(shown(workflowTexts(workflow))).toEqual([
    "mcp_servers/files/command: files (template, enter)",
    "mcp_servers/files/args/0: --root (template, enter)",
    "mcp_servers/files/args/1: {{.env.HOME}} (template, enter)",
    "isolation/worktree/from: main (template, enter)",
    "isolation/worktree/setup: npm ci (template, enter, shell)",
    "outputs/out: {{.states.a.Output}} (template, exit)",
    "hooks/workflow_start/0/log: s (template, enter)",
    "hooks/workflow_end/0/command: e (template, exit, shell)",
    "hooks/workflow_error/0/log: r (template, exit)",
    "hooks/workflow_cancel/0/log: c (template, exit)",
  ]);
  const bare = documentOf("name: x\nstates:\n  initial: d\n  d: {type: terminal}\n");
  expect(shown(workflowTexts(bare))).toEqual([]);
});
