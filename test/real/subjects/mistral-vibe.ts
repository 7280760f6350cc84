import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { mistralVibe } from "../../../actors/agents/mistral_vibe/mistral_vibe.ts";
import { MCP_ECHO } from "../../support/model-server/model-server.ts";
import { PATH_WITH_AGENTS } from "../programs.ts";
import { type Environment, REPOSITORY_MARK, type Subject } from "../subject.ts";

export const vibeEnvironment = (_: { url: string }, home: string): Environment => ({
  PATH: PATH_WITH_AGENTS,
  HOME: home,
  LANG: "C.UTF-8",
  VIBE_HOME: join(home, ".vibe"),
  MISTRAL_STUB_KEY: "sk-local-000000000000",
});

/** The user's configuration: the model server as a provider, and the folder trusted. */
export function prepareVibe({ url }: { url: string }, home: string): void {
  mkdirSync(join(home, ".vibe"));
  const config = `active_model = "stub"
enable_telemetry = false
enable_update_checks = false
[[providers]]
name = "stub"
api_base = "${url}/v1"
api_key_env_var = "MISTRAL_STUB_KEY"
api_style = "openai"
backend = "generic"
[[models]]
name = "stub-model"
provider = "stub"
alias = "stub"
input_price = 1.0
output_price = 2.0
[[models]]
name = "other-model"
provider = "stub"
alias = "other"
`;
  writeFileSync(join(home, ".vibe", "config.toml"), config);
  const trusted = `trusted = [${JSON.stringify(join(home, "..", "work"))}]\nuntrusted = []\n`;
  writeFileSync(join(home, ".vibe", "trusted_folders.toml"), trusted);
}

export const MISTRAL_VIBE: Subject = {
  name: "mistral_vibe",
  slow: true,
  agent: () => mistralVibe(),
  can: CAPABILITIES.mistral_vibe,
  environment: vibeEnvironment,
  prepare: prepareVibe,
  options: { max_retry_seconds: 0 },
  open: { dangerously_skip_permissions: true },
  closed: { agent: "ask" },
  edit: (path) => [
    { calls: [{ name: "edit", args: { file_path: path, old_string: "line 20", new_string: "LINE 20" } }] },
  ],
  failures: [
    { status: 401, class: "auth", requests: 1 },
    { status: 429, class: "rate_limit", requests: 1 },
    { status: 500, class: "network", requests: 1 },
  ],
  cut: "network",
  repository: () => ({
    ".vibe/config.toml": `[[mcp_servers]]
name = "stub"
transport = "stdio"
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(MCP_ECHO)}]
`,
    ".vibe/hooks.toml": `[[hooks]]
name = "mark"
type = "post_agent_turn"
command = "touch ${REPOSITORY_MARK}"
`,
    "AGENTS.md": REPOSITORY_MARK,
  }),
};
