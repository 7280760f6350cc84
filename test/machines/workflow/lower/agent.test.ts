/** What the fields of an agent step come to: its whole node, and what is said of fields that are wrong. */
import { describe, expect, it } from "vitest";
import { type Case, type Kind, lowered, nodeOf } from "./support.ts";

const CASES: Case[] = [
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
];

describe("agent", () => {
  it.each(CASES)("%s", (step, more, said) => {
    expect(lowered(step)).toEqual({ node: nodeOf("agent", more), said });
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
];

it.each(AWF_CASES)("in a folder of AWF's: %s %s", (kind, step, more, said) => {
  expect(lowered(step, true)).toEqual({ node: nodeOf(kind, more), said });
});
