/**
 * MCP servers as `--mcp-config` takes them.
 *
 * I1. Values of `env` and `headers` are not in the arguments, which every user of the machine can read: they travel in
 *     environment variables, and the configuration refers to them.
 */
import type { Json } from "../../../machines/model.ts";
import { isFields } from "../json.ts";

export type McpConfig = { json: string; env: { [name: string]: string } };

/** `servers`: a map of names to configurations, as in `.mcp.json`. */
export function mcpConfig(servers: { readonly [name: string]: Json }): McpConfig {
  const env: { [name: string]: string } = {};
  const hidden = (value: Json): Json => {
    if (!isFields(value)) return value;
    const entries = Object.entries(value).map(([name, one]) => {
      const variable = `MCP_CONFIGURED_${Object.keys(env).length + 1}`;
      env[variable] = typeof one === "string" ? one : JSON.stringify(one);
      return [name, `\${${variable}}`];
    });
    return Object.fromEntries(entries) as Json;
  };
  const shown = Object.entries(servers).map(([name, server]) => {
    if (!isFields(server)) return [name, server];
    const fields = Object.entries(server).map(([key, value]) => [
      key,
      key === "env" || key === "headers" ? hidden(value) : value,
    ]);
    return [name, Object.fromEntries(fields)];
  });
  return { json: JSON.stringify({ mcpServers: Object.fromEntries(shown) }), env };
}
