import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { codex } from "../../../actors/agents/codex/codex.ts";
import { MCP_ECHO } from "../../support/model-server/model-server.ts";
import { PATH_WITH_AGENTS } from "../programs.ts";
import { type Environment, REPOSITORY_MARK, type Subject } from "../subject.ts";

/**
 * Its temporary folder does not contain its home, as on a user's machine. Otherwise Codex makes no helper for the
 * system's bubblewrap, and runs no command.
 */
export const codexEnvironment = (_: { url: string }, home: string): Environment => ({
  PATH: PATH_WITH_AGENTS,
  HOME: home,
  LANG: "C.UTF-8",
  TMPDIR: join(home, "tmp"),
  CODEX_HOME: join(home, ".codex"),
  CODEX_STUB_KEY: "sk-local-000000000000",
});

/** The user's configuration: the model server in OpenAI's place, and the folder trusted. */
export function prepareCodex({ url }: { url: string }, home: string): void {
  mkdirSync(join(home, ".codex"));
  mkdirSync(join(home, "tmp"), { recursive: true });
  const config = `model_provider = "stub"
check_for_update_on_startup = false
[model_providers.stub]
name = "stub"
base_url = "${url}/v1"
env_key = "CODEX_STUB_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
[analytics]
enabled = false
[features]
plugins = false
[projects."${join(home, "..", "work")}"]
trust_level = "trusted"
`;
  writeFileSync(join(home, ".codex", "config.toml"), config);
}

/** The same with a model that it knows and that no step names; to other models it offers no tools. */
export function prepareCodexModel(server: { url: string }, home: string): void {
  prepareCodex(server, home);
  const file = join(home, ".codex", "config.toml");
  writeFileSync(file, `model = "gpt-5.5"\n${readFileSync(file, "utf8")}`);
}

export const CODEX: Subject = {
  name: "codex",
  agent: () => codex(),
  can: CAPABILITIES.codex,
  environment: codexEnvironment,
  prepare: prepareCodex,
  options: { model: "gpt-5.5" },
  open: { sandbox: "danger-full-access" },
  closed: {},
  // Models that it knows find tools by a search. A model that it does not know gets them all.
  mcp: { model: "gpt-unknown", sandbox: "read-only" },
  edit: (path) => {
    const input = `*** Begin Patch\n*** Update File: ${path}\n@@\n line 19\n-line 20\n+LINE 20\n line 21\n*** End Patch\n`;
    return [{ calls: [{ name: "apply_patch", freeform: true, args: { input } }] }];
  },
  tools: { model: "gpt-unknown" },
  failures: [
    { status: 401, class: "auth", requests: 2 },
    { status: 429, class: "rate_limit", requests: 2 },
    { status: 500, class: "overloaded", requests: 4 },
  ],
  cut: "cut",
  repository: () => ({
    ".codex/config.toml": `developer_instructions = "${REPOSITORY_MARK}"
[mcp_servers.stub]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(MCP_ECHO)}]
`,
  }),
};
