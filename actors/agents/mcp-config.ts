/**
 * MCP servers in the form of Claude Code, which others take too.
 *
 * I1. Values of `env` and `headers` are not in the arguments, which every user of the machine can read: they travel in
 *     environment variables, and the configuration refers to them.
 */
import type { McpServer } from "../../machines/mcp/server.ts";

export type McpConfig = { json: string; env: { [name: string]: string } };

export function mcpConfig(servers: readonly McpServer[]): McpConfig {
  const env: { [name: string]: string } = {};
  const hidden = (values: { readonly [name: string]: string }) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const variable = `MCP_CONFIGURED_${Object.keys(env).length + 1}`;
        env[variable] = value;
        return [name, `\${${variable}}`];
      }),
    );
  const shown = servers.map((server) => {
    switch (server.transport) {
      case "stdio":
        return [server.name, { command: server.command, args: server.args, env: hidden(server.env) }];
      case "http":
      case "sse":
        return [server.name, { type: server.transport, url: server.url, headers: hidden(server.headers) }];
      default:
        return server satisfies never;
    }
  });
  return { json: JSON.stringify({ mcpServers: Object.fromEntries(shown) }), env };
}
