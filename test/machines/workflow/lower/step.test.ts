/** What the fields of each kind of step come to: its whole node, and what is said of fields that are wrong. */
import { describe, expect, it } from "vitest";
import { parse } from "../fixtures.ts";

const COMMON = {
  ...{ name: "a", line: 4, transitions: [], onSuccess: "z", onFailure: null, continueOnError: false, timeoutMs: null },
  ...{ retry: null, recover: null, approval: null, hooks: { pre: [], post: [] }, dependsOn: [] },
};
const AGENT = {
  ...{ ...COMMON, type: "agent", provider: "codex", prompt: { text: "hi" }, options: {}, outputFormat: null },
  ...{ mode: "single", systemPrompt: null, role: null, skills: [], conversation: null, mcpProxy: null },
};
const COMMAND = { ...COMMON, type: "command", run: { command: "x" }, dir: null, maxOutputBytes: null };
const LOOP = { ...COMMON, onSuccess: null, body: ["b"], maxIterations: 100, breakWhen: null, onComplete: "z" };
/** What steps of a kind have where nothing is said. */
const KINDS = {
  agent: AGENT,
  command: COMMAND,
  call_workflow: { ...COMMON, type: "call_workflow" },
  operation: { ...COMMON, type: "operation" },
  parallel: { ...COMMON, type: "parallel" },
  for_each: { ...LOOP, type: "for_each", items: [1] },
  while: { ...LOOP, type: "while", test: "true" },
  ask: { ...COMMON, type: "ask", message: null },
  terminal: { type: "terminal", name: "a", line: 4 },
};
type Kind = keyof typeof KINDS;
/** A step, what its node has besides (null: there is no workflow), and what is said: column, message, what was expected. */
type Case = [step: string, more: object | null, said: string[]];

function lowered(step: string, awf = false): { node: object | null; said: string[] } {
  const states = [
    "  initial: a",
    `  a: ${step}`,
    "  b: {type: command, command: x, on_success: z}",
    "  z: {type: terminal}",
  ];
  const { workflow, findings } = parse(["name: w", "states:", ...states].join("\n"), { awf });
  const said = findings
    .filter(({ line }) => line === 4)
    .map(({ column, severity, message, expected }) => {
      const warns = severity === "warning" ? "(warning) " : "";
      return `${column} ${warns}${message}${expected === undefined ? "" : ` | ${expected}`}`;
    });
  return { node: workflow?.states["a"] ?? null, said };
}
const nodeOf = (kind: Kind, more: object | null) => (more === null ? null : { ...KINDS[kind], ...more });

const CASES: { [kind in Kind]?: Case[] } = {
  agent: [
    [
      "{type: agent, provider: codex, prompt: hi, requires: {read: allow, edit: ask, think: null}, on_success: z}",
      { requires: { read: "allow", edit: "ask" } },
      [],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, mcp_proxy: {enable: false}, output_format: json, on_success: z}",
      { mcpProxy: { enable: false }, outputFormat: "json" },
      [],
    ],
    ["{type: agent, provider: codex, prompt: hi, on_success: z}", {}, []],
    [
      "{type: agent, agent: codex, provider: claude, prompt: hi, on_success: z}",
      null,
      ['20 "provider" and "agent" exclude each other | one of the two'],
    ],
    ["{type: agent, prompt: hi, on_success: z}", null, ['3 agent step "a" names no agent | provider or agent']],
    ["{type: agent, provider: codex, on_success: z}", null, ['3 agent step "a" has no prompt | prompt or prompt_file']],
    [
      "{type: agent, provider: codex, prompt: hi, prompt_file: p.md, on_success: z}",
      null,
      ['49 "prompt" and "prompt_file" exclude each other | one of the two'],
    ],
    [
      "{type: agent, provider: codex, prompt_file: p.md, mode: conversation, on_success: z}",
      null,
      ['37 "prompt_file" cannot be used in mode conversation | prompt'],
    ],
    [
      "{type: agent, provider: custom, prompt: hi, on_success: z}",
      null,
      ['30 provider "custom" is not supported: configure the agent and name it here | the name of an agent'],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, mode: conversation, timeout: 0, system_prompt: be, role: r, skills: [s], on_success: z}",
      {
        limit: "none",
        mode: "conversation",
        systemPrompt: "be",
        role: "r",
        skills: ["s"],
        conversation: { continueFrom: null },
      },
      [],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, session: isolated, timeout: 5m, on_success: z}",
      { timeoutMs: 300000 },
      [],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, session: main, on_success: z}",
      { conversation: { continueFrom: null }, session: "main" },
      [],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, session: main, conversation: {continue_from: b}, on_success: z}",
      null,
      [
        '64 "session" and "conversation" exclude each other | one of the two',
        '94 "b" is no agent step | an agent step with conversation',
      ],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, conversation: {}, on_success: z}",
      { conversation: { continueFrom: null } },
      [],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, output_schema: {type: object}, mode: conversation, on_success: z}",
      null,
      ['86 "output_schema" cannot be used in mode conversation | one of the two'],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, output_schema: {type: object}, output_format: text, repair: 2, on_success: z}",
      null,
      ['95 "output_schema" asks for JSON, not text | one of the two'],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, fallback: [{provider: claude}, {model: m, options: {a: 1}}], fallback_after_output: true, on_success: z}",
      { fallback: [{ provider: "claude" }, { model: "m", options: { a: 1 } }], fallbackAfterOutput: true },
      [],
    ],
    ["{type: agent, provider: codex, prompt: hi, fallback: [], on_success: z}", {}, []],
    [
      "{type: agent, provider: codex, prompt: hi, requires: {read: true, edit: false}, mcp_proxy: {enable: true}, output_format: json, on_success: z}",
      null,
      [
        '66 "read" must be allow (without a question) or ask (not denied), not true | allow (without a question) or ask (not denied)',
        '78 "edit" must be allow (without a question) or ask (not denied), not false | allow (without a question) or ask (not denied)',
      ],
    ],
    [
      '{type: agent, provider: codex, prompt: hi, timeout: "", on_success: z}',
      null,
      [
        '58 "timeout" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not "" | a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)',
      ],
    ],
    [
      "{type: agent, provider: codex, prompt: hi, timeout: -5, on_success: z}",
      null,
      [
        '58 "timeout" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not -5 | a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)',
      ],
    ],
    [
      '{type: agent, provider: codex, prompt: hi, timeout: "-5s", on_success: z}',
      null,
      [
        '58 "timeout" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not "-5s" | a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)',
      ],
    ],
    [
      '{type: agent, provider: codex, prompt: hi, timeout: "soon", on_success: z}',
      null,
      [
        '58 "timeout" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not "soon" | a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)',
      ],
    ],
  ],
  command: [
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
  ],
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
  parallel: [
    [
      "{type: parallel, parallel: [b, b], on_success: z}",
      null,
      ['37 "b" stands in "parallel" twice | each state once'],
    ],
    ["{type: parallel, parallel: [], on_success: z}", null, ['23 "parallel" is empty | at least one state']],
    [
      "{type: parallel, parallel: [b], strategy: any_succeed, max_concurrent: 3, on_success: z}",
      { branches: ["b"], strategy: "any_succeed", maxConcurrent: 3 },
      [],
    ],
  ],
  for_each: [
    [
      "{type: for_each, items: [1], body: [b, b], on_complete: z}",
      null,
      ['45 "b" stands in "body" twice | each state once'],
    ],
    [
      "{type: for_each, body: [b], on_complete: z}",
      null,
      ['3 for each step "a" has nothing to go over | items or matrix'],
    ],
    [
      "{type: for_each, items: [1], matrix: {a: [1]}, body: [b], on_complete: z}",
      null,
      ['35 "items" and "matrix" exclude each other | one of the two'],
    ],
    [
      "{type: for_each, matrix: {a: [1], b: '{{.inputs.x}}'}, body: [b], on_complete: z}",
      {
        maxIterations: 10000,
        items: [],
        matrix: { a: [1], b: "{{.inputs.x}}" },
        fanned: { strategy: "all_succeed", maxConcurrent: 1 },
      },
      ['46 input "x" is not declared | an input "x" in inputs'],
    ],
    [
      "{type: for_each, items: [1], max_concurrent: 4, body: [b], on_complete: z}",
      { maxIterations: 10000, fanned: { strategy: "all_succeed", maxConcurrent: 4 } },
      [],
    ],
    [
      "{type: for_each, items: '[1, 2]', strategy: best_effort, break_when: 'true', max_iterations: ' 7 ', body: [b], on_complete: z}",
      { maxIterations: 7, breakWhen: "true", items: "[1, 2]", fanned: { strategy: "best_effort", maxConcurrent: 1 } },
      [],
    ],
    [
      "{type: for_each, items: [1], max_iterations: 99999999, body: [b], on_complete: z}",
      null,
      ['51 "max_iterations" is above 10000 | at most 10000'],
    ],
    ...["0", "' 00 '"].map((none): [string, null, string[]] => [
      `{type: for_each, items: [1], max_iterations: ${none}, body: [b], on_complete: z}`,
      null,
      ['51 "max_iterations" is 0 | at least 1, or no such field'],
    ]),
    ["{type: for_each, items: [1], max_iterations: 10000, body: [b], on_complete: z}", { maxIterations: 10000 }, []],
    [
      "{type: for_each, items: [1], max_iterations: 10001, body: [b], on_complete: z}",
      null,
      ['51 "max_iterations" is above 10000 | at most 10000'],
    ],
    [
      '{type: for_each, items: [1], max_iterations: "7x", body: [b], on_complete: z}',
      { maxIterations: "7x" },
      ['52 "7x" is neither a number nor a name'],
    ],
    ["{type: for_each, items: [1], body: [], on_complete: z}", null, ['35 "body" is empty | at least one state']],
  ],
  while: [
    [
      "{type: while, while: 'true', max_iterations: 'inputs.n', body: [b], on_complete: z}",
      { maxIterations: "inputs.n" },
      ['52 input "n" is not declared | an input "n" in inputs'],
    ],
    ["{type: while, body: [b], on_complete: z}", null, ['3 while step "a" needs "while" | text']],
    [
      "{type: while, while: 3, body: [b], on_complete: z}",
      { test: "3" },
      ["27 a condition is true or false, and 3 is a number | a comparison"],
    ],
  ],
  ask: [
    [
      "{type: ask, message: M, questions: [{name: a, prompt: P}, {name: n, prompt: N, type: integer, required: false, default: 3, validation: {min: 1, max: 5}}], on_success: z}",
      {
        message: "M",
        questions: [
          { name: "a", prompt: "P", type: "string", required: true, validation: {} },
          { name: "n", prompt: "N", type: "integer", required: false, default: 3, validation: { min: 1, max: 5 } },
        ],
      },
      [],
    ],
    ["{type: ask, questions: [], on_success: z}", null, ['3 ask step "a" asks nothing | questions']],
    [
      "{type: ask, questions: [{name: a, prompt: P}, {name: a, prompt: Q}], on_success: z}",
      null,
      ['59 question "a" is asked twice | each name once'],
    ],
    [
      "{type: ask, questions: [{name: a-b, prompt: P}], on_success: z}",
      null,
      ['37 "a-b" cannot be a question\'s name | letters, digits and _'],
    ],
    [
      "{type: ask, questions: [{name: api_token, prompt: P}], on_success: z}",
      null,
      [
        '37 question "api_token" asks for a secret by its name: answers are kept in the log | a secret from an input or from the environment',
      ],
    ],
    [
      "{type: ask, questions: [{name: a, prompt: P, choices: [x, {value: y, label: Y}], default: q}], on_success: z}",
      null,
      ['96 the default of question "a" is none of its answers | one of x, y'],
    ],
    [
      "{type: ask, questions: [{name: a, prompt: P, choices: '{{.states.b.JSON}}', default: q}], on_success: z}",
      {
        questions: [
          {
            name: "a",
            prompt: "P",
            type: "string",
            required: true,
            default: "q",
            choices: "{{.states.b.JSON}}",
            validation: {},
          },
        ],
      },
      ['63 "b" cannot have run before this text is read | a state that runs earlier'],
    ],
    [
      "{type: ask, questions: [{name: a, prompt: P, validation: {pattern: '(', min: 0}, required: true, default: '{{.inputs.x}}'}], on_success: z}",
      null,
      [
        '73 "pattern" is not a regular expression: error parsing regexp: missing closing ): `(` | RE2 syntax',
        '115 input "x" is not declared | an input "x" in inputs',
      ],
    ],
    [
      "{type: ask, questions: [{name: a, prompt: P, type: boolean, default: maybe}], on_success: z}",
      null,
      ['75 the default of question "a" is none of its answers | true or false'],
    ],
    [
      '{type: ask, questions: [{name: a, prompt: P, choices: [{value: "{{.inputs.x}}"}], default: q, validation: {pattern: ^a}}], on_success: z}',
      {
        questions: [
          {
            name: "a",
            prompt: "P",
            type: "string",
            required: true,
            default: "q",
            choices: [{ value: "{{.inputs.x}}" }],
            validation: { pattern: "^a" },
          },
        ],
      },
      ['72 input "x" is not declared | an input "x" in inputs'],
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
    "agent",
    "{type: agent, provider: codex, prompt: hi, output_schema: {type: object}, mode: conversation, on_success: z}",
    { outputSchema: { schema: { type: "object" } }, mode: "conversation", conversation: { continueFrom: null } },
    ['86 (warning) "output_schema" cannot be used in mode conversation | one of the two'],
  ],
  [
    "agent",
    "{type: agent, provider: codex, prompt: hi, output_schema: {type: object}, output_format: text, repair: 2, on_success: z}",
    { outputFormat: "text", outputSchema: { schema: { type: "object" } }, repair: 2 },
    ['95 (warning) "output_schema" asks for JSON, not text | one of the two'],
  ],
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
  [
    "parallel",
    "{type: parallel, parallel: [b, b], on_success: z}",
    { branches: ["b"], strategy: "all_succeed", maxConcurrent: 0 },
    ['37 (warning) "b" stands in "parallel" twice | each state once'],
  ],
  [
    "for_each",
    "{type: for_each, matrix: {a: [1], b: '{{.inputs.x}}'}, body: [b], on_complete: z}",
    {
      maxIterations: 10000,
      items: [],
      matrix: { a: [1], b: "{{.inputs.x}}" },
      fanned: { strategy: "all_succeed", maxConcurrent: 1 },
    },
    ['46 (warning) input "x" is not declared | an input "x" in inputs'],
  ],
  [
    "for_each",
    "{type: for_each, items: [1], max_iterations: 99999999, body: [b], on_complete: z}",
    { maxIterations: 10000 },
    ['51 (warning) "max_iterations" is above 10000 | at most 10000'],
  ],
  [
    "while",
    "{type: while, while: 'true', max_iterations: 0, body: [b], on_complete: z}",
    { maxIterations: 100 },
    ['51 (warning) "max_iterations" is 0 | at least 1, or no such field'],
  ],
  [
    "while",
    "{type: while, while: 'true', max_iterations: 'inputs.n', body: [b], on_complete: z}",
    { maxIterations: "inputs.n" },
    ['52 (warning) input "n" is not declared | an input "n" in inputs'],
  ],
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
    "ask",
    "{type: ask, questions: [{name: a, prompt: P, choices: '{{.states.b.JSON}}', default: q}], on_success: z}",
    {
      questions: [
        {
          name: "a",
          prompt: "P",
          type: "string",
          required: true,
          default: "q",
          choices: "{{.states.b.JSON}}",
          validation: {},
        },
      ],
    },
    ['63 (warning) "b" cannot have run before this text is read | a state that runs earlier'],
  ],
  [
    "ask",
    "{type: ask, questions: [{name: a, prompt: P, validation: {pattern: '(', min: 0}, required: true, default: '{{.inputs.x}}'}], on_success: z}",
    {
      questions: [
        {
          name: "a",
          prompt: "P",
          type: "string",
          required: true,
          default: "{{.inputs.x}}",
          validation: { pattern: "(", min: 0 },
        },
      ],
    },
    [
      '73 (warning) "pattern" is not a regular expression: error parsing regexp: missing closing ): `(` | RE2 syntax',
      '115 (warning) input "x" is not declared | an input "x" in inputs',
    ],
  ],
  [
    "agent",
    "{type: agent, provider: codex, prompt: hi, requires: {read: true, edit: false}, mcp_proxy: {enable: true}, output_format: json, on_success: z}",
    { outputFormat: "json", requires: {}, mcpProxy: { enable: true } },
    [
      '66 (warning) "read" must be allow (without a question) or ask (not denied), not true | allow (without a question) or ask (not denied)',
      '78 (warning) "edit" must be allow (without a question) or ask (not denied), not false | allow (without a question) or ask (not denied)',
    ],
  ],
  [
    "agent",
    "{type: agent, provider: codex, prompt: hi, timeout: -5, on_success: z}",
    {},
    [
      '58 (warning) "timeout" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not -5 | a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)',
    ],
  ],
  [
    "agent",
    '{type: agent, provider: codex, prompt: hi, timeout: "-5s", on_success: z}',
    {},
    [
      '58 (warning) "timeout" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not "-5s" | a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds)',
    ],
  ],
  [
    "for_each",
    "{type: for_each, items: [1], max_iterations: 10001, body: [b], on_complete: z}",
    { maxIterations: 10000 },
    ['51 (warning) "max_iterations" is above 10000 | at most 10000'],
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
    "ask",
    '{type: ask, questions: [{name: a, prompt: P, choices: [{value: "{{.inputs.x}}"}], default: q, validation: {pattern: ^a}}], on_success: z}',
    {
      questions: [
        {
          name: "a",
          prompt: "P",
          type: "string",
          required: true,
          default: "q",
          choices: [{ value: "{{.inputs.x}}" }],
          validation: { pattern: "^a" },
        },
      ],
    },
    ['72 (warning) input "x" is not declared | an input "x" in inputs'],
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
  [
    "parallel",
    "{type: parallel, parallel: [b], max_concurrent: -1, on_success: z}",
    { branches: ["b"], strategy: "all_succeed", maxConcurrent: 0 },
    ['54 (warning) "max_concurrent" must be a whole number, 0 or more, not -1 | a whole number, 0 or more'],
  ],
  [
    "while",
    "{type: while, while: 'x(', break_when: 'y(', max_iterations: 'z(', body: [b], on_complete: z}",
    { test: "x(", breakWhen: "y(", maxIterations: "z(" },
    [
      "30 (warning) expected a value, found the end",
      "48 (warning) expected a value, found the end",
      "70 (warning) expected a value, found the end",
    ],
  ],
  [
    "while",
    "{type: while, while: 'true', break_when: '', max_iterations: '', body: [b], on_complete: z}",
    {},
    [
      '47 (warning) "break_when" is empty: without a condition the loop goes on to its end | a value, or no such field',
      '67 (warning) "max_iterations" is empty: without a number the loop has the default | a value, or no such field',
    ],
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
  "{type: parallel, parallel: [b], max_concurrent: '2', on_success: z}",
  "{type: while, while: '', body: [b], on_complete: z}",
])("what AWF refuses is refused in its folders too: %s", (step) => {
  expect(lowered(step, true).said).toEqual([expect.not.stringContaining("(warning)")]);
});

it.each([
  "{type: command, command: x, timeout: '', on_success: z}",
  "{type: command, command: x, transitions: [{when: '', goto: b}], on_success: z}",
  "{type: while, while: 'true', break_when: 'x(', body: [b], on_complete: z}",
  "{type: while, while: 'true', break_when: '', body: [b], on_complete: z}",
])("what only AWF passes over is an error elsewhere: %s", (step) => {
  expect(lowered(step).said).toEqual([expect.not.stringContaining("(warning)")]);
});
