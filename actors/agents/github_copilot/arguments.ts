/**
 * A request as the command line, the environment and the input of the `copilot` program.
 *
 * I1. Each value is in one argument with its flag (`--model=…`): no value is taken for a flag, none for a second value.
 * I2. Prompts and secrets are not in the arguments: the prompt goes through standard input, the system prompt and the
 *     MCP servers through files that only this user can read, and what a server is given through the environment.
 * I3. A repository does not configure the program, and a workflow cannot let it: the variable that trusts a folder's
 *     servers and hooks is the user's alone.
 */
import { dirname } from "node:path";
import type { McpServer } from "../../../machines/mcp/server.ts";
import { TOOLS_SERVER } from "../../base/agent-names.ts";
import { fieldsAt, fieldsOf, parsed } from "../../base/json.ts";
import type { AgentRequest } from "../agent.ts";
import { configuredEnvironment } from "../configured.ts";
import { type McpConfig, mcpConfig } from "../mcp-config.ts";
import { checkedOptions, isOn, textsOf, wrongOption } from "../options.ts";
import type { Invocation } from "../program.ts";
import { attachedFiles, type Scratch } from "../scratch.ts";
import { type CopilotOptions, OPTIONS } from "./options.ts";
import { OWN_TOOLS } from "./tools.ts";

/** `ours`: an id of ours, new or of an earlier attempt. `theirs`: a conversation that must exist. */
export type CopilotConversation = { type: "ours" | "theirs"; id: string };

const INSTRUCTIONS_VARIABLE = "COPILOT_CUSTOM_INSTRUCTIONS_DIRS";
const RESERVED = [INSTRUCTIONS_VARIABLE, "COPILOT_ALLOW_ALL", "COPILOT_PROVIDER_API_KEY_COMMAND"];

const BASE = [
  ...["copilot", "--output-format=json", "--stream=on", "--no-color"],
  ...["--no-auto-update", "--no-ask-user", "--disable-builtin-mcps", "--no-remote"],
] as const;
const FLAGS: readonly (readonly [keyof CopilotOptions, string])[] = [
  ["model", "--model"],
  ["effort", "--reasoning-effort"],
  ["mode", "--mode"],
  ["agent", "--agent"],
];
const LISTS: readonly (readonly [keyof CopilotOptions, string])[] = [
  ["allowed_tools", "--allow-tool"],
  ["denied_tools", "--deny-tool"],
  ["available_tools", "--available-tools"],
  ["excluded_tools", "--excluded-tools"],
  ["add_dirs", "--add-dir"],
];

type CopilotRequest = Pick<
  AgentRequest,
  "prompt" | "attached" | "systemPrompt" | "options" | "directories" | "env" | "mcpServers" | "ownTools"
>;

/** Throws a `TroupeError` for an option that is wrong. */
export function invocationOf(
  request: CopilotRequest,
  opening: CopilotConversation,
  scratch: Scratch,
): Invocation & { usageFile: string } {
  const options = checkedOptions("github_copilot", OPTIONS, request.options);
  const env = configuredEnvironment(request.options);
  const reserved = RESERVED.find((name) => Object.hasOwn(env, name));
  if (reserved !== undefined) {
    throw wrongOption(`env.${reserved}`, "a workflow may not set this variable; set it where Troupe is started");
  }
  const usageFile = scratch.path("usage.json");
  const argv: [string, ...string[]] = [...BASE, `--usage-output-file=${usageFile}`];
  for (const [name, flag] of FLAGS) if (options[name] !== undefined) argv.push(`${flag}=${options[name]}`);
  for (const [name, flag] of LISTS) for (const one of textsOf(options[name])) argv.push(`${flag}=${one}`);
  for (const folder of request.directories ?? []) argv.push(`--add-dir=${folder}`);
  for (const path of attachedFiles(request, scratch)) argv.push(`--attachment=${path}`);
  if (request.ownTools === "replaced") for (const tool of OWN_TOOLS) argv.push(`--excluded-tools=${tool}`);
  // Troupe asks about its own tools itself.
  if (request.mcpServers.some(({ name }) => name === TOOLS_SERVER)) argv.push(`--allow-tool=${TOOLS_SERVER}`);
  if (isOn(options.allow_all) || isOn(options.dangerously_skip_permissions)) argv.push("--allow-all");
  const mcp = serversOf(request.mcpServers);
  if (request.mcpServers.length > 0) argv.push(`--additional-mcp-config=@${scratch.file("mcp.json", mcp.json)}`);
  argv.push(opening.type === "ours" ? `--session-id=${opening.id}` : `--resume=${opening.id}`);
  const all = { ...request.env, ...env, ...mcp.env, ...instructions(request, scratch) };
  return { argv, env: all, input: request.prompt, usageFile };
}

/** The program takes a system prompt as instructions for all files, from a folder beside those the user has. */
function instructions({ systemPrompt, env }: CopilotRequest, scratch: Scratch): { [name: string]: string } {
  if (systemPrompt === null) return {};
  const text = `---\napplyTo: "**"\n---\n${systemPrompt}\n`;
  const file = scratch.file(".github/instructions/troupe.instructions.md", text);
  const folder = dirname(dirname(dirname(file)));
  const users = env[INSTRUCTIONS_VARIABLE];
  return { [INSTRUCTIONS_VARIABLE]: users === undefined || users === "" ? folder : `${users},${folder}` };
}

/** The servers with all their tools; what they are given travels in the environment, see `mcp-config.ts`. */
function serversOf(servers: readonly McpServer[]): McpConfig {
  const { json, env } = mcpConfig(servers);
  const shown = Object.entries(fieldsAt(fieldsOf(parsed(json) ?? undefined), "mcpServers"));
  const all = shown.map(([name, server]) => [name, { type: "stdio", ...fieldsOf(server), tools: ["*"] }]);
  return { json: JSON.stringify({ mcpServers: Object.fromEntries(all) }), env };
}
