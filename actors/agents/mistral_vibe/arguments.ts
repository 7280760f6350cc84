/**
 * A request as the command line, the environment and the input of the `vibe` program.
 *
 * I1. Each value is in one argument with its flag: no value is taken for a flag, none for a second value.
 * I2. Prompts and secrets are not in the arguments: the prompt goes through standard input, the servers through the
 *     environment.
 * I3. The folder counts as not trusted, whatever was said before (see `home.ts`): the program then reads no
 *     configuration, servers, tools, hooks or words of the repository. A workflow may not set `VIBE_…` variables.
 */
import type { McpServer } from "../../../machines/mcp/server.ts";
import type { Json } from "../../../machines/model.ts";
import { TOOLS_SERVER } from "../../base/agent-names.ts";
import { type Fields, fieldsOf, parsed } from "../../base/json.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { AgentRequest } from "../agent.ts";
import { configuredEnvironment } from "../configured.ts";
import { checkedOptions, isOn, textsOf, wrongOption } from "../options.ts";
import type { Invocation } from "../program.ts";
import { OPTIONS, type VibeOptions } from "./options.ts";

const FLAGS: readonly (readonly [keyof VibeOptions, string])[] = [
  ["agent", "--agent"],
  ["max_turns", "--max-turns"],
  ["max_tokens", "--max-tokens"],
  ["max_price", "--max-price"],
];
const SERVERS = "VIBE_MCP_SERVERS";
const TOOLS = "VIBE_TOOLS";
const RETRIES = "VIBE_API_RETRY_MAX_ELAPSED_TIME";
/** The program's own is five minutes, and of these it says nothing. */
const RETRY_SECONDS = "60";

type VibeRequest = Pick<AgentRequest, "prompt" | "options" | "env" | "mcpServers" | "ownTools" | "toolbox">;

export const optionsOf = (request: Pick<AgentRequest, "options">): VibeOptions =>
  checkedOptions("mistral_vibe", OPTIONS, request.options);

/** `report`: the folder in which the program says how the run ended. Throws a `TroupeError` for a wrong option. */
export function invocationOf(request: VibeRequest, session: string | null, report: string): Invocation {
  const { mcpServers, ownTools, prompt } = request;
  const options = optionsOf(request);
  const argv: [string, ...string[]] = ["vibe", "-p", "--output=streaming", `--output-dir=${report}`];
  // The program's newer core starts servers and does not offer their tools to the model.
  if (mcpServers.length > 0) argv.push("--legacy-harness");
  for (const [name, flag] of FLAGS) if (options[name] !== undefined) argv.push(`${flag}=${options[name]}`);
  if (isOn(options.dangerously_skip_permissions)) argv.push("--auto-approve");
  for (const tool of enabled(options, ownTools, mcpServers)) argv.push(`--enabled-tools=${tool}`);
  for (const tool of textsOf(options.disabled_tools)) argv.push(`--disabled-tools=${tool}`);
  if (session !== null) argv.push(`--resume=${session}`);
  return { argv, env: environmentOf(request, options), input: prompt };
}

function enabled(options: VibeOptions, ownTools: VibeRequest["ownTools"], servers: readonly McpServer[]): string[] {
  if (ownTools === "kept") return textsOf(options.enabled_tools);
  // A pattern of no tool: with none at all, every tool would be enabled.
  return servers.length === 0 ? ["none"] : servers.map(({ name }) => `${toolPart(name)}_*`);
}

/** How the program writes a server's name in the names of its tools. */
export const toolPart = (server: string): string =>
  server.replace(/[^A-Za-z0-9_-]/g, "_").replace(/^[_-]+|[_-]+$/g, "");

function environmentOf(request: VibeRequest, options: VibeOptions): Invocation["env"] {
  const env = configuredEnvironment(request.options);
  const own = Object.keys(env).find((name) => name.startsWith("VIBE_"));
  if (own !== undefined) {
    throw wrongOption(`env.${own}`, "a workflow may not set this variable; use the other options of the step");
  }
  const given: Invocation["env"] = { [RETRIES]: RETRY_SECONDS, ...request.env, ...env };
  if (options.max_retry_seconds !== undefined) given[RETRIES] = String(options.max_retry_seconds);
  if (options.model !== undefined) given["VIBE_ACTIVE_MODEL"] = String(options.model);
  if (request.mcpServers.length > 0) given[SERVERS] = JSON.stringify(request.mcpServers.map(serverOf));
  if (request.toolbox !== undefined) given[TOOLS] = JSON.stringify({ ...usersTools(given), ...ownTools(request) });
  return given;
}

/** In a run of this kind the program asks no questions. Troupe asks about its own tools itself. */
const ownTools = ({ toolbox }: VibeRequest): Fields =>
  Object.fromEntries((toolbox?.offer ?? []).map(({ name }) => [`${TOOLS_SERVER}_${name}`, { permission: "always" }]));

const usersTools = (env: Invocation["env"]): Fields => fieldsOf(parsed(env[TOOLS] ?? "{}") ?? undefined);

function serverOf(server: McpServer): Json {
  switch (server.transport) {
    case "stdio":
      return {
        name: server.name,
        transport: "stdio",
        command: [server.command],
        args: [...server.args],
        env: { ...server.env },
      };
    case "http":
      return { name: server.name, transport: "http", url: server.url, headers: { ...server.headers } };
    case "sse":
      throw new TroupeError(
        "EXECUTION.AGENT.UNSUPPORTED",
        `mcp_servers.${server.name}: Mistral Vibe knows no servers of type sse; give it by type: http, or as a command`,
      );
    default:
      return server satisfies never;
  }
}
