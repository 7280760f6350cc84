import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { opencode } from "../../../actors/agents/opencode/opencode.ts";
import { MCP_ECHO } from "../../support/model-server/model-server.ts";
import { PATH_WITH_AGENTS } from "../programs.ts";
import { type Environment, REPOSITORY_MARK, type Subject } from "../subject.ts";

export const opencodeEnvironment = (server: { url: string }, home: string): Environment => ({
  PATH: PATH_WITH_AGENTS,
  HOME: home,
  LANG: "C.UTF-8",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_CONFIG_CONTENT: JSON.stringify({
    model: "stub/stub-model",
    small_model: "stub/stub-model",
    provider: {
      stub: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${server.url}/v1`, apiKey: "sk-local-000000000000" },
        models: {
          "stub-model": {
            reasoning: true,
            tool_call: true,
            attachment: true,
            modalities: { input: ["text", "image"], output: ["text"] },
            limit: { context: 128000, output: 8192 },
            cost: { input: 1, output: 2 },
          },
          "other-model": {
            reasoning: true,
            tool_call: true,
            limit: { context: 128000, output: 8192 },
            cost: { input: 1, output: 2 },
          },
        },
      },
    },
  }),
});

export const OPENCODE: Subject = {
  name: "opencode",
  slow: true,
  agent: () => opencode(),
  can: CAPABILITIES.opencode,
  environment: opencodeEnvironment,
  options: { max_retries: 1 },
  open: { dangerously_skip_permissions: true },
  closed: { permission: { bash: "ask" } },
  edit: (path) => [
    { calls: [{ name: "read", args: { filePath: path } }] },
    { calls: [{ name: "edit", args: { filePath: path, oldString: "line 20", newString: "LINE 20" } }] },
  ],
  failures: [
    { status: 401, class: "auth", requests: 1 },
    { status: 429, class: "rate_limit", requests: 2 },
    { status: 500, class: "network", requests: 2 },
  ],
  cut: "network",
  repository: () => ({
    "opencode.json": JSON.stringify({
      mcp: { stub: { type: "local", command: [process.execPath, MCP_ECHO], enabled: true } },
      agent: { build: { prompt: REPOSITORY_MARK } },
    }),
    ".opencode/plugin/mark.js": `import fs from "node:fs";
export const Mark = async () => { fs.writeFileSync("${REPOSITORY_MARK}", ""); return {}; };
`,
  }),
};
