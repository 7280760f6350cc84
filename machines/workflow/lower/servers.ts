/**
 * From `mcp_servers` of the workflow to its nodes: each node that may need a server carries them all, since a step sees
 * its own node only.
 */
import { type McpEntry, serverOf } from "../../mcp/entry.ts";
import type { Json } from "../../model.ts";
import type { McpServers, Nodes } from "../document.ts";
import type { Report } from "../report.ts";
import { child, type Located } from "../yaml/located.ts";

/** The servers that the file names, less those that are no servers. */
export function lowerServers(root: Located, checked: { [name: string]: unknown }, report: Report): McpServers {
  const entries = child(root, "mcp_servers")?.entries ?? new Map();
  const servers: McpServers = {};
  for (const [name, { value }] of entries) {
    const entry = Object.hasOwn(checked, name) ? checked[name] : undefined;
    if (entry === undefined) continue;
    const entered = serverOf(name, entry as McpEntry);
    if (entered.ok) {
      servers[name] = value.value as Json;
      continue;
    }
    const { message, expected } = entered;
    const path = ["mcp_servers", name];
    report.add({
      code: "WORKFLOW.PARSE.INVALID_FIELD",
      message: `server "${name}": ${message}`,
      expected,
      path,
      on: "key",
      loads: false,
    });
  }
  return servers;
}

/** The nodes with the servers, where there are any. */
export function withServers(nodes: Nodes, servers: McpServers): Nodes {
  if (Object.keys(servers).length === 0) return nodes;
  for (const node of Object.values(nodes)) {
    if (node.type === "agent" || node.type === "operation") node.mcpServers = servers;
  }
  return nodes;
}
