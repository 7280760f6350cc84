import { describe, expect, it, test } from "vitest";
import { invocationOf } from "../../../../actors/agents/claude/arguments.ts";
import { OPTIONS } from "../../../../actors/agents/claude/options.ts";
import type { McpServer } from "../../../../machines/mcp/server.ts";
import type { Json } from "../../../../machines/model.ts";
import { request, UUID } from "./support.ts";

const NEW = { type: "new", id: UUID } as const;
const BASE = [
  "claude",
  "-p",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--verbose",
  "--include-partial-messages",
  "--replay-user-messages",
  "--permission-prompt-tool=stdio",
];
/** Only the user's settings, and the repository's memory (I3). */
const OWN = ["--setting-sources=user", "--add-dir=/home/ada/work"];
const MEMORY = { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" };
const of = (options: { [name: string]: Json }) => invocationOf(request({ options }), NEW);
const faultOf = (options: { [name: string]: Json }): unknown => {
  try {
    of(options);
  } catch (error) {
    return error;
  }
  return null;
};

describe("the arguments", () => {
  it("of a new conversation and of one that continues", () => {
    expect(of({}).argv).toEqual([...BASE, ...OWN, `--session-id=${UUID}`]);
    expect(invocationOf(request(), { type: "resumed", id: UUID }).argv).toEqual([...BASE, ...OWN, `--resume=${UUID}`]);
  });

  test.each([
    [{ model: "sonnet" }, ["--model=sonnet"]],
    [{ model: null }, []],
    [{ model: "--resume" }, ["--model=--resume"]],
    [{ fallback_model: "haiku" }, ["--fallback-model=haiku"]],
    [{ effort: "high" }, ["--effort=high"]],
    [{ permission_mode: "acceptEdits" }, ["--permission-mode=acceptEdits"]],
    [{ dangerously_skip_permissions: true }, ["--permission-mode=bypassPermissions"]],
    [{ dangerously_skip_permissions: "true" }, ["--permission-mode=bypassPermissions"]],
    [{ dangerously_skip_permissions: false, permission_mode: "plan" }, ["--permission-mode=plan"]],
    [{ allowed_tools: "Read,Bash(git log:*)" }, ["--allowedTools=Read,Bash(git log:*)"]],
    [{ allowed_tools: ["Read", "Bash(git log:*)"] }, ["--allowedTools=Read,Bash(git log:*)"]],
    [{ disallowed_tools: ["WebFetch"] }, ["--disallowedTools=WebFetch"]],
    [{ tools: "" }, ["--tools="]],
    [{ add_dirs: ["/a", "/b c"] }, ["--add-dir=/a", "--add-dir=/b c"]],
    [{ add_dirs: "/a" }, ["--add-dir=/a"]],
    [{ max_turns: 3 }, ["--max-turns=3"]],
    [{ max_turns: "3" }, ["--max-turns=3"]],
    [{ max_budget_usd: 0.5 }, ["--max-budget-usd=0.5"]],
    [{ strict_mcp_config: true }, ["--strict-mcp-config"]],
  ] as [{ [name: string]: Json }, string[]][])("of %j (I1)", (options, expected) => {
    expect(of(options).argv).toEqual([...BASE, ...OWN, ...expected, `--session-id=${UUID}`]);
  });

  it("name the repository's settings only where the step does (I3)", () => {
    const { argv, env } = of({ setting_sources: ["user", "project"] });
    expect(argv).toEqual([...BASE, "--setting-sources=user,project", `--session-id=${UUID}`]);
    expect(env).toEqual({});
  });

  it("hold no secret of an MCP server (I2)", () => {
    const mcpServers: McpServer[] = [
      {
        name: "db",
        transport: "stdio",
        command: "node",
        args: ["db.mjs"],
        env: { DB_PASSWORD: "canary-1", PORT: "7" },
      },
      { name: "web", transport: "http", url: "https://x.test/mcp", headers: { Authorization: "Bearer canary-2" } },
    ];
    const { argv, env } = invocationOf(request({ env: { PATH: "/bin" }, mcpServers }), NEW);
    const shown = {
      mcpServers: {
        // biome-ignore format: one line a server
        db: { command: "node", args: ["db.mjs"], env: { DB_PASSWORD: "${MCP_CONFIGURED_1}", PORT: "${MCP_CONFIGURED_2}" } },
        web: { type: "http", url: "https://x.test/mcp", headers: { Authorization: "${MCP_CONFIGURED_3}" } },
      },
    };
    expect(argv).toEqual([
      ...BASE,
      ...OWN,
      `--mcp-config=${JSON.stringify(shown)}`,
      "--strict-mcp-config",
      `--session-id=${UUID}`,
    ]);
    expect(env).toEqual({
      ...MEMORY,
      PATH: "/bin",
      MCP_CONFIGURED_1: "canary-1",
      MCP_CONFIGURED_2: "7",
      MCP_CONFIGURED_3: "Bearer canary-2",
    });
    expect(argv.join(" ")).not.toContain("canary");
    const loose = invocationOf(request({ mcpServers, options: { strict_mcp_config: false } }), NEW);
    expect(loose.argv).not.toContain("--strict-mcp-config");
  });
});

describe("the environment", () => {
  it("is the request's and what the options set", () => {
    expect(invocationOf(request({ env: { A: "1", B: "2" }, options: { env: { B: "3" } } }), NEW).env).toEqual({
      ...MEMORY,
      A: "1",
      B: "3",
    });
  });
});

describe("the input (I2)", () => {
  const messages = (input: string): unknown[] =>
    input.split("\n").flatMap((one) => (one === "" ? [] : [JSON.parse(one)]));

  it("is the prompt as one line", () => {
    const { input } = invocationOf(request({ prompt: 'two\nlines "quoted"' }), NEW);
    expect(input.endsWith("\n")).toBe(true);
    expect(messages(input)).toEqual([{ type: "user", message: { role: "user", content: 'two\nlines "quoted"' } }]);
  });

  it.each([
    [{}, "appendSystemPrompt"],
    [{ system_prompt_mode: "append" }, "appendSystemPrompt"],
    [{ system_prompt_mode: "replace" }, "systemPrompt"],
  ])("has the system prompt first (%j)", (options, field) => {
    const { input, argv } = invocationOf(request({ systemPrompt: "Be kind.", options }), NEW);
    expect(messages(input)[0]).toEqual({
      type: "control_request",
      request_id: "initialize",
      request: { subtype: "initialize", [field]: "Be kind." },
    });
    expect(argv.join(" ")).not.toContain("kind");
  });
});

describe("an option that is wrong", () => {
  const known = Object.keys(OPTIONS).join(", ");
  test.each([
    [{ modle: "x" }, `options.modle: claude has no such option; did you mean "model"? Known: ${known}`],
    [
      { allowedTools: "x" },
      `options.allowedTools: claude has no such option; did you mean "allowed_tools"? Known: ${known}`,
    ],
    [{ qqqqqqqq: 1 }, `options.qqqqqqqq: claude has no such option. Known: ${known}`],
    [{ model: 3 }, "options.model: expected a text"],
    [{ model: "" }, "options.model: expected a text"],
    [{ model: "a\0b" }, "options.model: expected a text"],
    [{ effort: "some" }, "options.effort: expected one of low, medium, high, xhigh, max"],
    [{ max_turns: 1.5 }, "options.max_turns: expected a whole number above 0"],
    [{ max_turns: "x" }, "options.max_turns: expected a whole number above 0"],
    [{ max_budget_usd: 0 }, "options.max_budget_usd: expected a number above 0"],
    [{ allowed_tools: [1] }, "options.allowed_tools: expected a list of texts"],
    [{ dangerously_skip_permissions: 1 }, "options.dangerously_skip_permissions: expected true or false"],
    [
      { dangerously_skip_permissions: true, permission_mode: "plan" },
      "options.dangerously_skip_permissions: give either this or permission_mode; it stands for bypassPermissions",
    ],
    [{ env: { PATH: "x" } }, "options.env.PATH: a workflow may not set this variable; set it where Troupe is started"],
  ] as [{ [name: string]: Json }, string][])("%j is refused", (options, message) => {
    expect(faultOf(options)).toMatchObject({ code: "USER.AGENT.INVALID_OPTION", message });
  });
});
