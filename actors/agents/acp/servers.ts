/**
 * The MCP servers that an ACP agent is handed.
 *
 * I1. Only those that the user's configuration of this agent names, and Troupe's own. What is denied is never handed; what
 *     is to be asked about, and what `*` alone stands for, after a question of its own. H40.
 * I2. A server of a kind that the agent cannot reach is left out with a notice; a command is handed over by its full
 *     path.
 * I3. Credentials stay with us unless the agent's entry says otherwise: it is handed a way to the server. H43.
 */
import { dirname } from "node:path";
import type { McpServer as AcpServer, McpCapabilities } from "@agentclientprotocol/sdk";
import type { McpServer } from "../../../machines/mcp/server.ts";
import { isPlainName } from "../../../machines/secret-name.ts";
import { resolveCommand } from "../../acp-client/command.ts";
import { isClientError } from "../../acp-client/errors.ts";
import { TOOLS_SERVER } from "../../base/agent-names.ts";
import type { AcpAgent, ServerRules } from "../../config/settings.ts";

/** Those that are passed on, and those that are asked about first. */
export function chosenServers(
  { mcpServers: allow, mcp }: Pick<AcpAgent, "mcpServers" | "mcp">,
  given: readonly McpServer[],
): { pass: McpServer[]; ask: McpServer[] } {
  const { deny = [], ask = [] }: Partial<ServerRules> = mcp ?? {};
  const left = given.filter(({ name }) => name === TOOLS_SERVER || !deny.includes(name));
  const isAsked = (name: string): boolean => ask.includes(name) || (allow.includes("*") && !allow.includes(name));
  return {
    pass: left.filter(({ name }) => name === TOOLS_SERVER || (allow.includes(name) && !ask.includes(name))),
    ask: left.filter(({ name }) => name !== TOOLS_SERVER && isAsked(name)),
  };
}

/** Whether its credentials stay with us; false where it has none. */
export function keepsSecrets({ mcp }: Pick<AcpAgent, "mcp">, server: McpServer): boolean {
  const values = server.transport === "stdio" ? server.env : server.headers;
  const has = server.name !== TOOLS_SERVER && Object.keys(values).some((name) => !isPlainName(name));
  return has && mcp?.secrets.includes(server.name) !== true;
}

export type Handed = { servers: AcpServer[]; notices: string[] };

/** As the protocol says them. */
export function serversFor(
  given: readonly McpServer[],
  o: { takes: McpCapabilities | undefined; path: string | undefined; file: string },
): Handed {
  const handed: Handed = { servers: [], notices: [] };
  for (const server of given) {
    try {
      const one = acpServer(server, o);
      if (one === null)
        handed.notices.push(`the agent cannot reach the MCP server "${server.name}" (${server.transport})`);
      else handed.servers.push(one);
    } catch (error) {
      if (!isClientError(error, "agentNotFound")) throw error;
      handed.notices.push(
        `the MCP server "${server.name}" was left out: there is no program "${String(error.details["command"])}"`,
      );
    }
  }
  return handed;
}

const pairs = (values: { readonly [name: string]: string }) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

function acpServer(
  server: McpServer,
  { takes, path, file }: { takes: McpCapabilities | undefined; path: string | undefined; file: string },
): AcpServer | null {
  const { name } = server;
  switch (server.transport) {
    case "stdio": {
      const command = resolveCommand(server.command, { path, base: dirname(file) });
      return { name, command, args: server.args, env: pairs(server.env) };
    }
    case "http":
      return takes?.http === true ? { type: "http", name, url: server.url, headers: pairs(server.headers) } : null;
    case "sse":
      return takes?.sse === true ? { type: "sse", name, url: server.url, headers: pairs(server.headers) } : null;
    default:
      return server satisfies never;
  }
}
