/**
 * A request as the command line, the environment and the input of the `claude` program.
 *
 * I1. Each value is in one argument with its flag (`--model=…`): no value is taken for a flag, none for a second value.
 * I2. Prompts and secrets are not in the arguments: both prompts go through standard input, see `mcp-config.ts` for the rest.
 * I3. Unless the step says otherwise, the repository's settings, hooks and MCP servers are not read, only its memory: an
 *     agent is configured by its user.
 */
import type { Json } from "../../../machines/model.ts";
import { TOOLS_SERVER } from "../../base/agent-names.ts";
import { type AgentRequest, attachedTo } from "../agent.ts";
import { configuredEnvironment } from "../configured.ts";
import { mcpConfig } from "../mcp-config.ts";
import { isOn, wrongOption } from "../options.ts";
import { objectSchema } from "../output-schema.ts";
import type { Invocation } from "../program.ts";
import { type ClaudeOptions, checkedOptions, type OptionName } from "./options.ts";

/** A conversation that begins under a new id, or one that is continued. */
export type ConversationStart = { type: "new" | "resumed"; id: string };
const BASE = [
  "claude",
  "-p",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--verbose",
  "--include-partial-messages",
  "--replay-user-messages",
  "--permission-prompt-tool=stdio",
] as const;

const FLAGS: readonly (readonly [OptionName, string])[] = [
  ["model", "--model"],
  ["fallback_model", "--fallback-model"],
  ["effort", "--effort"],
  ["permission_mode", "--permission-mode"],
  ["tools", "--tools"],
  ["allowed_tools", "--allowedTools"],
  ["disallowed_tools", "--disallowedTools"],
  ["setting_sources", "--setting-sources"],
  ["max_turns", "--max-turns"],
  ["max_budget_usd", "--max-budget-usd"],
];

type ClaudeRequest = Pick<
  AgentRequest,
  | "prompt"
  | "attached"
  | "systemPrompt"
  | "options"
  | "env"
  | "cwd"
  | "mcpServers"
  | "ownTools"
  | "directories"
  | "outputSchema"
>;

/** Makes the program read the memory (CLAUDE.md) of the folders of `--add-dir`. */
const READ_MEMORY = { CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1" };

/** Throws a `TroupeError` for an option that is wrong. */
export function invocationOf(request: ClaudeRequest, opening: ConversationStart): Invocation {
  const options = checkedOptions(request.options);
  const mcp = request.mcpServers.length === 0 ? null : mcpConfig(request.mcpServers);
  const argv: [string, ...string[]] = [...BASE];
  const ownSettings = options.setting_sources === undefined;
  if (ownSettings) argv.push("--setting-sources=user", `--add-dir=${request.cwd}`);
  for (const [name, flag] of FLAGS) {
    const value = name === "tools" && request.ownTools === "replaced" ? (options.tools ?? "") : options[name];
    if (value !== undefined) argv.push(`${flag}=${joined(value)}`);
  }
  // Troupe asks about its own tools itself.
  if (request.mcpServers.some(({ name }) => name === TOOLS_SERVER)) argv.push(`--allowedTools=mcp__${TOOLS_SERVER}`);
  if (skipsPermissions(options)) argv.push("--permission-mode=bypassPermissions");
  for (const folder of [options.add_dirs ?? [], request.directories ?? []].flat()) argv.push(`--add-dir=${folder}`);
  const shape = objectSchema(request.outputSchema);
  if (shape !== undefined) argv.push(`--json-schema=${JSON.stringify(shape)}`);
  if (mcp !== null) argv.push(`--mcp-config=${mcp.json}`);
  if (isOn(options.strict_mcp_config ?? mcp !== null)) argv.push("--strict-mcp-config");
  argv.push(opening.type === "new" ? `--session-id=${opening.id}` : `--resume=${opening.id}`);
  return {
    argv,
    env: {
      ...request.env,
      ...(ownSettings ? READ_MEMORY : {}),
      ...configuredEnvironment(request.options),
      ...mcp?.env,
    },
    input: inputOf(request, options),
  };
}

const joined = (value: Json): string => (Array.isArray(value) ? value.join(",") : String(value));

function skipsPermissions(options: ClaudeOptions): boolean {
  if (!isOn(options.dangerously_skip_permissions ?? false)) return false;
  if (options.permission_mode === undefined) return true;
  throw wrongOption(
    "dangerously_skip_permissions",
    "give either this or permission_mode; it stands for bypassPermissions",
  );
}

/** The request that sets the system prompt, where there is one, and the prompt. */
function inputOf(request: ClaudeRequest, options: ClaudeOptions): string {
  const { systemPrompt } = request;
  const messages: Json[] = [];
  if (systemPrompt !== null) {
    const name = options.system_prompt_mode === "replace" ? "systemPrompt" : "appendSystemPrompt";
    const setting = { subtype: "initialize", [name]: systemPrompt };
    messages.push({ type: "control_request", request_id: "initialize", request: setting });
  }
  messages.push({ type: "user", message: { role: "user", content: contentOf(request) } });
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

/** The words, and behind them the images that they name. */
function contentOf(request: ClaudeRequest): Json {
  const images = attachedTo(request).map(({ mimeType, data }): Json => {
    const source = { type: "base64", media_type: mimeType, data: data.toString("base64") };
    return { type: "image", source };
  });
  return images.length === 0 ? request.prompt : [{ type: "text", text: request.prompt }, ...images];
}
