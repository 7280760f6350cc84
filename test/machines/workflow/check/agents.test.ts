import { describe, expect, it } from "vitest";
import type { ParseOptions } from "../../../../machines/workflow/parse.ts";
import { parse } from "../fixtures.ts";

function of(fields: string, options: Partial<ParseOptions> = {}, head = ""): string[] {
  const source = `name: x
${head}states:
  initial: a
  a: {type: agent, provider: claude, prompt: x, on_success: b, ${fields}}
  b: {command: x, on_success: d}
  d: {type: terminal}
`;
  return parse(source, { awf: true, ...options }).findings.map(
    ({ code, severity, message, range }) =>
      `${severity} ${code} | ${source.slice(range.start, range.end)} | ${message}`,
  );
}

describe("mcp_proxy", () => {
  it.each([
    [
      "mcp_proxy: {enable: true, colour: red}",
      'error USER.MCP_PROXY.UNKNOWN_KEY | colour | "colour" is not known here',
    ],
    [
      "mcp_proxy: {enable: true, intercept_builtins: false}",
      "error USER.MCP_PROXY.EMPTY_PROXY | mcp_proxy | the proxy is enabled and serves no tools",
    ],
    [
      "mcp_proxy: {enable: true, plugin_tools: [{plugin: githb, expose: [get_pr]}]}",
      'error USER.MCP_PROXY.UNKNOWN_PLUGIN | githb | plugin "githb" is not known',
    ],
    [
      "mcp_proxy: {enable: true, plugin_tools: [{plugin: github, expose: [get_rp]}]}",
      'error USER.MCP_PROXY.UNKNOWN_OPERATION | get_rp | plugin "github" has no operation "get_rp"',
    ],
    [
      "mcp_proxy: {enable: true, plugin_tools: [{plugin: http}, {plugin: http}]}",
      'error USER.MCP_PROXY.NAME_COLLISION | http | plugin "http" is listed twice',
    ],
  ])("%s is refused in AWF's folders too", (fields, expected) => {
    expect(of(fields)).toEqual([expected]);
  });

  it("knows the plugins that are given, and takes the workflow's aliases as they are", () => {
    const tools = (plugin: string, operation: string) =>
      `mcp_proxy: {enable: true, plugin_tools: [{plugin: ${plugin}, expose: [${operation}]}]}`;
    const plugins = { k8s: ["apply"], any: null };
    expect(of(tools("k8s", "apply"), { plugins })).toEqual([]);
    expect(of(tools("any", "thing"), { plugins })).toEqual([]);
    expect(of(tools("k8s", "delete"), { plugins })).toEqual([
      'error USER.MCP_PROXY.UNKNOWN_OPERATION | delete | plugin "k8s" has no operation "delete"',
    ]);
    expect(of(tools("pg", "query"), {}, "plugins: {pg: database}\n")).toEqual([]);
  });

  it("knows the MCP servers that the workflow or the step itself names", () => {
    const tools = "mcp_proxy: {enable: true, plugin_tools: [{plugin: tickets, expose: [find]}]}";
    const unknown = ['error USER.MCP_PROXY.UNKNOWN_PLUGIN | tickets | plugin "tickets" is not known'];
    expect(of(tools)).toEqual(unknown);
    expect(of(tools, {}, "mcp_servers: {tickets: {command: tickets-mcp}}\n")).toEqual([]);
    expect(of(tools, {}, "mcp_servers: {other: {command: tickets-mcp}}\n")).toEqual(unknown);
    expect(of(`${tools}, options: {mcp_servers: {tickets: {command: tickets-mcp}}}`)).toEqual([]);
  });

  it("names no merge of worktrees among the tools: a step does it", () => {
    const operations = { github: ["get_pr"], worktree: ["merge"] };
    const { findings } = parse(
      "name: x\nstates:\n  initial: a\n  a: {type: agent, provider: understudy, prompt: p, on_success: d, mcp_proxy: {enable: true, plugin_tools: [{plugin: worktree}]}}\n  d: {type: terminal}\n",
      { operations },
    );
    expect(findings).toMatchObject([
      {
        message: 'plugin "worktree" is not known',
        expected: expect.stringMatching(/^a step of type: operation for worktree\.merge; here one of github;/),
      },
    ]);
  });

  it("only warns of a server that an editor may bring, outside AWF's folders", () => {
    const tools = (plugin: string) => `mcp_proxy: {enable: true, plugin_tools: [{plugin: ${plugin}, expose: [find]}]}`;
    const found = (severity: string, plugin: string) => [
      `${severity} USER.MCP_PROXY.UNKNOWN_PLUGIN | ${plugin} | plugin "${plugin}" is not known`,
    ];
    expect(of(tools("tickets"), { awf: false })).toEqual(found("warning", "tickets"));
    expect(of(tools("tickets"), { awf: true })).toEqual(found("error", "tickets"));
    expect(of(tools("githb"), { awf: false })).toEqual(found("error", "githb"));
  });

  it("says nothing about a proxy that is off", () => {
    expect(of("mcp_proxy: {enable: false, plugin_tools: [{plugin: nothing}]}")).toEqual([]);
  });
});

describe("conversation.continue_from", () => {
  it.each([
    [
      "conversation: {continue_from: none}",
      'error WORKFLOW.VALIDATION.UNDEFINED_STATE | none | state "none" does not exist',
    ],
    ["conversation: {continue_from: b}", 'error WORKFLOW.VALIDATION.BAD_CONVERSATION | b | "b" is no agent step'],
    [
      "conversation: {continue_from: a}",
      'warning WORKFLOW.VALIDATION.FORWARD_REFERENCE | a | "a" cannot have run before',
    ],
  ])("%s", (fields, expected) => {
    expect(of(fields)).toEqual([expected]);
  });
});

describe("agent fields", () => {
  it.each([
    [
      "prompt_file: y",
      'error WORKFLOW.PARSE.INVALID_FIELD | prompt_file | "prompt" and "prompt_file" exclude each other',
    ],
    ["skills: [{folder: x}]", 'error WORKFLOW.PARSE.MISSING_FIELD | {folder: x} | "path" is missing here'],
    [
      "output_format: yaml",
      'error WORKFLOW.PARSE.INVALID_FIELD | yaml | "output_format" must be one of json, text, not "yaml"',
    ],
    [
      "timeout: [1]",
      'error WORKFLOW.PARSE.INVALID_FIELD | [1] | "timeout" must be a duration such as 90, 1.5, 90s, 1m30s or 500ms (a bare number is seconds), not a list',
    ],
  ])("%s", (fields, expected) => {
    expect(of(fields)[0]).toBe(expected);
  });
});

describe("options", () => {
  const known = {
    agentOptions: { claude: { model: { type: "text" }, max_turns: { type: "number", whole: true } } },
  } as const;

  it("that the agent does not take are ignored in AWF's folders, and an error elsewhere", () => {
    const fields = "options: {model: m, max_tokens: 1, permissions: {}}";
    const found = 'UNKNOWN_FIELD | max_tokens | claude has no option "max_tokens"';
    expect(of(fields, known)).toEqual([`warning WORKFLOW.PARSE.${found}: it is passed over`]);
    expect(of(fields, { ...known, awf: false })).toEqual([`error WORKFLOW.PARSE.${found}`]);
    expect(of(fields)).toEqual([]);
  });
});

describe("an agent, its session and what it requires (H52, H53)", () => {
  const faults = (states: string): string[] =>
    parse(`name: x\nstates:\n  initial: a\n${states}\n  d: {type: terminal}\n`, {}).findings.map(
      ({ code, path, message }) => `${code} ${path}: ${message}`,
    );
  const agent = (name: string, fields: string) => `  ${name}: {type: agent, prompt: x, on_success: d, ${fields}}`;

  it.each([
    ["agent: mine, session: talk, requires: {execute: allow, fetch: ask}", []],
    ["agent: mine, session: isolated", []],
    [
      "agent: mine, provider: claude",
      ['WORKFLOW.PARSE.INVALID_FIELD states.a.agent: "provider" and "agent" exclude each other'],
    ],
    ["options: {}", ['WORKFLOW.PARSE.MISSING_FIELD states.a: agent step "a" names no agent']],
    [
      "agent: mine, session: talk, conversation: {}",
      ['WORKFLOW.PARSE.INVALID_FIELD states.a.conversation: "session" and "conversation" exclude each other'],
    ],
    ["agent: mine, requires: {execute: deny}", [expect.stringContaining("states.a.requires.execute")]],
    ["agent: mine, requires: {exec: allow}", [expect.stringContaining('"exec"')]],
  ])("%s", (fields, expected) => {
    expect(faults(agent("a", fields))).toEqual(expected);
  });

  it("cannot share a session where steps run at once", () => {
    const two = (one: string, other: string) =>
      faults(
        [
          "  a: {type: parallel, parallel: [b, c], on_success: d}",
          agent("b", `agent: mine, session: ${one}`),
          agent("c", `agent: mine, session: ${other}`),
        ].join("\n"),
      );
    expect(two("talk", "talk")).toEqual([
      'WORKFLOW.VALIDATION.BAD_CONVERSATION states.c.session: the session "talk" may be asked twice at once: "b" and "c" run side by side',
    ]);
    expect(two("talk", "other")).toEqual([]);
    const rounds = (more: string) =>
      faults(
        [
          `  a: {type: for_each, items: [1, 2], body: [b], ${more} on_complete: d}`,
          agent("b", "agent: mine, session: talk"),
        ].join("\n"),
      );
    expect(rounds("max_concurrent: 2,").slice(-1)).toEqual([expect.stringContaining('rounds of "a" run side by side')]);
    expect(rounds("")).toEqual([]);
  });
});

describe("a conversation that is continued", () => {
  const continued = (source: string, node: string) =>
    parse(
      `name: x
states:
  initial: a
  a: {type: agent, provider: ${source}, prompt: x, conversation: {}, on_success: b}
  b: {type: agent, provider: ${node}, prompt: x, conversation: {continue_from: a}, on_success: d}
  d: {type: terminal}
`,
      { awf: false },
    ).findings.map(({ severity, line, message }) => `${severity} ${line} ${message}`);

  it("is one of the same agent", () => {
    expect(continued("claude", "codex")).toEqual([
      'error 5 "a" talks with claude: no other agent can continue its conversation',
    ]);
    for (const [source, node] of [
      ["claude", "claude"],
      ["claude", "mine"],
      ["mine", "claude"],
      ["claude", "understudy"],
      ["'{{.inputs.x}}'", "claude"],
      ["claude, fallback: [{provider: codex}]", "codex"],
      ["claude, fallback: [{provider: mine}]", "codex"],
    ] as const) {
      expect(continued(source, node).filter((each) => each.includes("talks with"))).toEqual([]);
    }
    expect(continued("claude, fallback: [{model: sonnet}]", "codex")).toHaveLength(1);
  });

  it("is no one of many rounds at once", () => {
    const said = parse(
      `name: x
states:
  initial: e
  e: {type: for_each, items: [1], body: [a, c], on_complete: b, max_concurrent: 2}
  a: {type: agent, provider: claude, prompt: x, conversation: {}}
  c: {type: agent, provider: claude, prompt: x, conversation: {continue_from: a}}
  b: {type: agent, provider: claude, prompt: x, conversation: {continue_from: a}, on_success: d}
  d: {type: terminal}
`,
      { awf: false },
    ).findings.map(({ line, message }) => `${line} ${message}`);
    expect(said).toEqual([
      '7 "a" runs once for each item of "e": outside of its round no one conversation has that name',
    ]);
  });
});
