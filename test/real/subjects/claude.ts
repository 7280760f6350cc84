import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { claude } from "../../../actors/agents/claude/claude.ts";
import { MCP_ECHO } from "../../support/model-server/model-server.ts";
import { PATH_WITH_AGENTS } from "../programs.ts";
import { type Environment, REPOSITORY_MARK, type Subject } from "../subject.ts";

export const claudeEnvironment = (server: { url: string }, home: string): Environment => ({
  PATH: PATH_WITH_AGENTS,
  HOME: home,
  LANG: "C.UTF-8",
  ANTHROPIC_BASE_URL: server.url,
  ANTHROPIC_API_KEY: "sk-local-000000000000",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "1",
  DISABLE_AUTOUPDATER: "1",
  // Without it the program refuses bypassPermissions to root.
  IS_SANDBOX: "1",
});

export const CLAUDE: Subject = {
  name: "claude",
  agent: () => claude(),
  can: CAPABILITIES.claude,
  environment: claudeEnvironment,
  // Else its model has to search for the tools of a server before it can call them, which the stub does not.
  options: { model: "claude-sonnet-4-5", env: { ENABLE_TOOL_SEARCH: "false" } },
  open: { permission_mode: "bypassPermissions" },
  closed: {},
  edit: (path) => [
    { calls: [{ name: "Read", args: { file_path: path } }] },
    { calls: [{ name: "Edit", args: { file_path: path, old_string: "line 20", new_string: "LINE 20" } }] },
  ],
  failures: [
    { status: 401, class: "auth", requests: 2 },
    { status: 403, class: "auth", requests: 1 },
    { status: 429, class: "rate_limit", requests: 2 },
    { status: 500, class: "network", requests: 2 },
    { status: 529, class: "overloaded", requests: 2 },
  ],
  repository: () => ({
    ".claude/settings.json": JSON.stringify({
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: `touch ${REPOSITORY_MARK}` }] }] },
    }),
    ".mcp.json": JSON.stringify({ mcpServers: { stub: { command: process.execPath, args: [MCP_ECHO] } } }),
  }),
};
