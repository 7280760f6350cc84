/** What the fields of a command step come to, and those that every kind of step has: the whole node, and what is said. */
import { describe, expect, it } from "vitest";
import { type Case, type Kind, lowered, nodeOf } from "./support.ts";

const CASES: Case[] = [
  [
    "{type: command, command: x, script_file: y, on_success: z}",
    null,
    ['34 "command" and "script_file" exclude each other | one of the two'],
  ],
  ["{type: command, on_success: z}", null, ['3 step "a" has nothing to run | command or script_file']],
  [
    "{type: command, command: x, dir: d, capture: {max_size: 2KB}, on_success: z}",
    { dir: "d", maxOutputBytes: 2048 },
    [],
  ],
  [
    "{type: command, command: x, on_success: z, timeout: 5m, continue_on_error: 'yes', recover: ask, approval: true, depends_on: [b], on_skip: b, on_failure: b, description: D}",
    {
      description: "D",
      onFailure: "b",
      onSkip: "b",
      continueOnError: true,
      timeoutMs: 300000,
      recover: "ask",
      approval: { message: null, onDeny: "error", timeoutMs: null },
      dependsOn: ["b"],
    },
    [
      '131 "a" depends on "b", which cannot have completed before it | a step that runs earlier',
      '147 (warning) on_failure of "a" is never followed: with continue_on_error a failure goes where a success goes | on_failure, or continue_on_error',
    ],
  ],
  [
    "{type: command, command: x, on_success: z, approval: {message: M, on_deny: abort, timeout: 10s}, hooks: {pre: [{log: l}, {command: c}], post: [{command: d}]}, retry: {}}",
    {
      retry: {
        maxAttempts: 1,
        initialDelayMs: 0,
        maxDelayMs: null,
        backoff: "constant",
        multiplier: 2,
        jitter: 0,
        exitCodes: [],
      },
      approval: { message: "M", onDeny: "abort", timeoutMs: 10000 },
      hooks: { pre: [{ log: "l" }, { command: "c" }], post: [{ command: "d" }] },
    },
    [],
  ],
  [
    "{type: command, command: x, approval: false, on_failure: {message: m, status: 9}, transitions: [{when: 'true', goto: z}, {goto: b}]}",
    { transitions: [{ when: "true", goto: "z" }, { goto: "b" }], onSuccess: null, onFailure: "__inline_error_a" },
    [
      '51 (warning) on_failure of "a" is never followed: transitions[1] has no when, and is taken first, after a failure too | a when at transitions[1], or no on_failure',
    ],
  ],
  [
    "{type: command, command: x, on_success: z, retry: {max_attempts: 5, initial_delay: 2s, max_delay: 1m, backoff: exponential, multiplier: 3, jitter: 0.5, retryable_exit_codes: [1, 2]}}",
    {
      retry: {
        maxAttempts: 5,
        initialDelayMs: 2000,
        maxDelayMs: 60000,
        backoff: "exponential",
        multiplier: 3,
        jitter: 0.5,
        exitCodes: [1, 2],
      },
    },
    [],
  ],
  [
    "{type: command, command: x, on_success: z, isolation: worktree}",
    { isolation: { from: "dirty", setup: null, merge: "keep", approve: true } },
    [],
  ],
  [
    "{type: command, command: x, on_success: z, isolation: {worktree: {from: main, setup: npm ci, merge: squash, approve: false}}}",
    { isolation: { from: "main", setup: "npm ci", merge: "squash", approve: false } },
    [],
  ],
  [
    "{type: command, command: x, on_success: z, isolation: {worktree: {of: b, on_conflict: b, merge: pr}}}",
    null,
    [
      '76 step "b" works in no worktree of its own | a step with isolation: worktree',
      '102 "merge" must be one of keep, squash, merge, rebase, discard, not "pr" | one of keep, squash, merge, rebase, discard',
    ],
  ],
  [
    "{type: command, command: x, on_success: z, budget: {cost_usd: 1, tokens: 5, agent_turns: 2, time: 1m, warn_at: 0.5, on_budget: stop}}",
    { budget: { limits: { costUsd: 1, tokens: 5, agentTurns: 2, timeMs: 60000 }, warnAt: 0.5, onBudget: "stop" } },
    [],
  ],
  [
    "{type: command, command: x, on_success: z, budget: {time: 0}}",
    null,
    [
      '64 "time" must be a duration above 0, such as 90s or 1h (a bare number is seconds), not 0 | a duration above 0, such as 90s or 1h (a bare number is seconds)',
    ],
  ],
  [
    "{type: command, command: x, on_success: z, on_failure: {message: m, status: 300}}",
    null,
    ['82 "status" must be an exit code from 1 to 255, not 300 | an exit code from 1 to 255'],
  ],
  [
    '{type: command, command: x, on_success: z, on_failure: {message: m, status: "9"}}',
    null,
    ['82 "status" must be an exit code from 1 to 255, not "9" | an exit code from 1 to 255'],
  ],
  [
    "{type: command, command: x, on_success: z, approval: {on_deny: maybe}}",
    null,
    ['69 "on_deny" must be one of skip, error, abort, not "maybe" | one of skip, error, abort'],
  ],
  [
    "{type: command, command: x, on_success: z, recover: maybe}",
    null,
    ['58 "recover" must be one of rerun, fail, ask, not "maybe" | one of rerun, fail, ask'],
  ],
  ["{type: command, command: x, on_success: z, nonsense: 1}", null, ['49 command step "a" has no field "nonsense"']],
  [
    "{type: command, command: x, on_success: z, timeout:\u00a01}",
    null,
    [
      "49 a non-breaking blank (U+00A0) stands here, which YAML takes for a letter | a plain blank in its place, here and wherever else it was copied to",
    ],
  ],
];

describe("command", () => {
  it.each(CASES)("%s", (step, more, said) => {
    expect(lowered(step)).toEqual({ node: nodeOf("command", more), said });
  });
});

/** In AWF's folders what AWF passes over is a warning, and the step is there. */
const AWF_CASES: [Kind, ...Case][] = [
  [
    "command",
    "{type: command, command: x, on_success: z, isolation: {worktree: {of: b, on_conflict: b, merge: pr}}}",
    { isolation: { from: "", setup: null, merge: "keep", approve: true, of: "b", onConflict: "b" } },
    [
      '76 step "b" works in no worktree of its own | a step with isolation: worktree',
      '102 (warning) "merge" must be one of keep, squash, merge, rebase, discard, not "pr" | one of keep, squash, merge, rebase, discard',
    ],
  ],
  [
    "command",
    "{type: command, command: x, on_success: z, on_failure: {message: m, status: 300}}",
    { onFailure: "__inline_error_a" },
    ['82 (warning) "status" must be an exit code from 1 to 255, not 300 | an exit code from 1 to 255'],
  ],
  [
    "command",
    "{type: command, command: x, on_success: z, approval: {on_deny: maybe}}",
    { approval: { message: null, onDeny: "error", timeoutMs: null } },
    ['69 (warning) "on_deny" must be one of skip, error, abort, not "maybe" | one of skip, error, abort'],
  ],
  [
    "command",
    "{type: command, command: x, on_success: z, recover: maybe}",
    {},
    ['58 (warning) "recover" must be one of rerun, fail, ask, not "maybe" | one of rerun, fail, ask'],
  ],
  [
    "command",
    "{type: command, command: x, on_success: z, nonsense: 1}",
    {},
    ['49 (warning) command step "a" has no field "nonsense"'],
  ],
  [
    "command",
    "{type: command, command: x, timeout: '', capture: {max_size: lots}, retry: {initial_delay: '', max_delay: ''}, on_failure: {message: m, status: '2'}, on_success: z}",
    {
      retry: {
        maxAttempts: 1,
        initialDelayMs: 0,
        maxDelayMs: null,
        backoff: "constant",
        multiplier: 2,
        jitter: 0,
        exitCodes: [],
      },
      onFailure: "__inline_error_a",
    },
    [
      '43 (warning) "timeout" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not "" | a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)',
      '67 (warning) "max_size" must be a size such as 10MB, not "lots" | a size such as 10MB',
      "74 (warning) without max_attempts there is one attempt, and nothing is tried again | max_attempts, 2 or more",
      '97 (warning) "initial_delay" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not "" | a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)',
      '112 (warning) "max_delay" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not "" | a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)',
      '150 (warning) "status" must be an exit code from 1 to 255, not "2" | an exit code from 1 to 255',
    ],
  ],
  [
    "command",
    "{type: command, command: x, transitions: [{when: '', goto: b}], on_success: z}",
    { transitions: [{ goto: "b" }] },
    ['55 (warning) "when" is empty: without a condition the transition is always taken | a value, or no such field'],
  ],
  [
    "command",
    "{type: command, command: x, transitions: [{when: 'isDone()', goto: b}, {when: ' ', goto: b}], on_success: z}",
    {
      transitions: [
        { when: "isDone()", goto: "b" },
        { when: " ", goto: "b" },
      ],
    },
    ['56 (warning) unknown function "isDone"', "85 (warning) the expression is empty: expected a value"],
  ],
];

it.each(AWF_CASES)("in a folder of AWF's: %s %s", (kind, step, more, said) => {
  expect(lowered(step, true)).toEqual({ node: nodeOf(kind, more), said });
});

it.each([
  "{type: command, command: x, timeout: abc, on_success: z}",
  "{type: command, command: x, capture: {max_size: [1]}, on_success: z}",
  "{type: command, command: x, transitions: [{when: 'x(', goto: b}], on_success: z}",
  "{type: command, command: x, transitions: [{when: 'upper()', goto: b}], on_success: z}",
])("what AWF refuses is refused in its folders too: %s", (step) => {
  expect(lowered(step, true).said).toEqual([expect.not.stringContaining("(warning)")]);
});

it.each([
  "{type: command, command: x, timeout: '', on_success: z}",
  "{type: command, command: x, transitions: [{when: '', goto: b}], on_success: z}",
])("what only AWF passes over is an error elsewhere: %s", (step) => {
  expect(lowered(step).said).toEqual([expect.not.stringContaining("(warning)")]);
});
