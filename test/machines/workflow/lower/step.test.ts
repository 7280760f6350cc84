/** What the fields of the other kinds of step come to: the whole node, and what is said of fields that are wrong. */
import { describe, expect, it } from "vitest";
import { type Case, type Kind, lowered, nodeOf } from "./support.ts";

const CASES: { [kind in Kind]?: Case[] } = {
  call_workflow: [
    ["{type: call_workflow, on_success: z}", null, ['3 step "a" calls no workflow | workflow']],
    [
      "{type: call_workflow, workflow: other, timeout: 0, outputs: {a: b}, inputs: {x: [1]}, on_success: z}",
      { workflow: "other", inputs: { x: [1] }, outputs: { a: "b" } },
      [],
    ],
    [
      "{type: call_workflow, call_workflow: {workflow: other, timeout: 7s, outputs: {a: b}, inputs: {x: 1}}, on_success: z}",
      { timeoutMs: 7000, workflow: "other", inputs: { x: 1 }, outputs: { a: "b" } },
      [],
    ],
  ],
  operation: [
    [
      "{type: operation, operation: http.request, inputs: {url: 'https://h', method: GET}, on_success: z}",
      { operation: "http.request", inputs: { url: "https://h", method: "GET" } },
      [],
    ],
    [
      "{type: operation, operation: worktree.merge, inputs: {tree: b, merge: pr, approve: false, on_conflict: b}, on_success: z}",
      {
        recover: "rerun",
        operation: "worktree.merge",
        inputs: { tree: "b", merge: "pr", approve: false, on_conflict: "b" },
        isolation: { from: "", setup: null, merge: "squash", approve: false, of: "b", onConflict: "b" },
      },
      ['66 step "b" works in no worktree of its own | a step with isolation: worktree'],
    ],
    [
      "{type: operation, operation: worktree.merge, operation_inputs: {tree: b}, recover: fail, on_success: z}",
      {
        recover: "fail",
        operation: "worktree.merge",
        inputs: { tree: "b" },
        isolation: { from: "", setup: null, merge: "squash", approve: true, of: "b" },
      },
      ['3 step "b" works in no worktree of its own | a step with isolation: worktree'],
    ],
    [
      "{type: operation, operation: worktree.merge, inputs: {tree: b, merge: discard}, on_success: z}",
      {
        recover: "rerun",
        operation: "worktree.merge",
        inputs: { tree: "b", merge: "discard" },
        isolation: { from: "", setup: null, merge: "discard", approve: true, of: "b" },
      },
      ['66 step "b" works in no worktree of its own | a step with isolation: worktree'],
    ],
  ],
  terminal: [
    [
      "{type: terminal, status: failed, message: m}",
      null,
      ['31 "status" must be one of success, failure, not "failed" | one of success, failure'],
    ],
    [
      "{type: terminal, status: ERROR}",
      null,
      ['31 "status" must be one of success, failure, not "ERROR" | one of success, failure'],
    ],
    [
      "{type: terminal, status: done}",
      null,
      ['31 "status" must be one of success, failure, not "done" | one of success, failure'],
    ],
  ],
};

describe.each(Object.entries(CASES) as [Kind, Case[]][])("%s", (kind, cases) => {
  it.each(cases)("%s", (step, more, said) => {
    expect(lowered(step)).toEqual({ node: nodeOf(kind, more), said });
  });
});

/** In AWF's folders what AWF passes over is a warning, and the step is there. */
const AWF_CASES: [Kind, ...Case][] = [
  [
    "terminal",
    "{type: terminal, status: failed, message: m}",
    null,
    ['31 "status" must be one of success, failure, not "failed" | one of success, failure'],
  ],
  [
    "terminal",
    "{type: terminal, status: ERROR}",
    null,
    ['31 "status" must be one of success, failure, not "ERROR" | one of success, failure'],
  ],
  [
    "terminal",
    "{type: terminal, status: done}",
    null,
    ['31 "status" must be one of success, failure, not "done" | one of success, failure'],
  ],
];

it.each(AWF_CASES)("in a folder of AWF's: %s %s", (kind, step, more, said) => {
  expect(lowered(step, true)).toEqual({ node: nodeOf(kind, more), said });
});
