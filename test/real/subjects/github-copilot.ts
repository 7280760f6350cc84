import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { githubCopilot } from "../../../actors/agents/github_copilot/github_copilot.ts";
import { MCP_ECHO } from "../../support/model-server/model-server.ts";
import { PATH_WITH_AGENTS } from "../programs.ts";
import { type Environment, REPOSITORY_MARK, type Subject } from "../subject.ts";

export const copilotEnvironment = (server: { url: string }, home: string): Environment => ({
  PATH: PATH_WITH_AGENTS,
  HOME: home,
  LANG: "C.UTF-8",
  COPILOT_HOME: `${home}/.copilot`,
  COPILOT_OFFLINE: "true",
  COPILOT_PROVIDER_BASE_URL: `${server.url}/v1`,
  COPILOT_PROVIDER_API_KEY: "sk-local-000000000000",
  COPILOT_MODEL: "gpt-5.4",
});

const servers = JSON.stringify({ mcpServers: { stub: { command: process.execPath, args: [MCP_ECHO] } } });

export const GITHUB_COPILOT: Subject = {
  name: "github_copilot",
  agent: () => githubCopilot(),
  can: CAPABILITIES.github_copilot,
  environment: copilotEnvironment,
  options: {},
  open: { allow_all: true },
  closed: {},
  shell: (command) => ({ title: command, input: { command, description: "stub" } }),
  // Newer models of this maker get a tool of another form.
  editing: { model: "gpt-4.1" },
  edit: (path) => [
    { calls: [{ name: "view", args: { path } }] },
    { calls: [{ name: "edit", args: { path, old_str: "line 20", new_str: "LINE 20" } }] },
  ],
  failures: [
    { status: 401, class: "auth", requests: 3 },
    { status: 429, class: "rate_limit", requests: 6 },
    { status: 500, class: "network", requests: 6 },
  ],
  cut: "network",
  repository: () => ({
    ".mcp.json": servers,
    ".github/mcp.json": servers,
    ".github/hooks/mark.json": JSON.stringify({
      version: 1,
      hooks: { sessionStart: [{ type: "command", bash: `touch ${REPOSITORY_MARK}` }] },
    }),
  }),
};
