/**
 * The MCP servers that an ACP agent is handed.
 *
 * I1. Only those that the user's configuration of this agent names, and Troupe's own.
 * I2. A server of a kind that the agent cannot reach is left out with a notice; a command is handed over by its full
 *     path.
 */
import { dirname } from "node:path";
import type { McpServer as AcpServer, McpCapabilities } from "@agentclientprotocol/sdk";
import type { McpServer } from "../../../machines/mcp/server.ts";
import { resolveCommand } from "../../acp-client/command.ts";
import { isClientError } from "../../acp-client/errors.ts";
import { TOOLS_SERVER } from "../../base/agent-names.ts";

export type Handed = { servers: AcpServer[]; notices: string[] };

export function serversFor(
  given: readonly McpServer[],
  o: { allowed: readonly string[]; takes: McpCapabilities | undefined; path: string | undefined; file: string },
): Handed {
  const handed: Handed = { servers: [], notices: [] };
  for (const server of given) {
    if (server.name !== TOOLS_SERVER && !o.allowed.includes(server.name)) continue;
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
