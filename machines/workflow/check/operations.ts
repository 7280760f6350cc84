/**
 * The operations that steps name.
 *
 * I1. A tool of a server that an editor brings is known only to its run: a name that may be one is a warning, and a run
 *     without that server is refused. What looks like a slip is one.
 */
import { own } from "../../model.ts";
import type { OperationNode, Workflow } from "../document.ts";
import { isUnread } from "../lower/stand-in.ts";
import type { Report } from "../report.ts";
import { slipOf } from "../suggest.ts";

export type KnownOperations = {
  /** The operations of this installation, by plugin. */
  operations: { readonly [plugin: string]: readonly string[] };
  /** The MCP servers that are known by name. */
  servers: readonly string[];
};

/** What a name that is wrong by a letter means: in its operation, in its plugin, or in both. */
function meantBy(name: string, { operations }: KnownOperations): string | null {
  const at = name.indexOf(".");
  const plugin = name.slice(0, Math.max(at, 0));
  const known = own(operations, plugin) === undefined ? slipOf(plugin, Object.keys(operations)) : plugin;
  if (known === null) return null;
  const operation = name.slice(at + 1);
  const names = own(operations, known) ?? [];
  const meant = names.includes(operation) ? operation : slipOf(operation, names);
  return meant === null ? null : `${known}.${meant}`;
}

/** Whether a name is one of this installation's operations, or a tool of a server that is known. */
export function isOperation(name: string, { operations, servers }: KnownOperations): boolean {
  const at = name.indexOf(".");
  if (own(operations, name.slice(0, Math.max(at, 0)))?.includes(name.slice(at + 1)) === true) return true;
  return servers.some((server) => name.startsWith(`${server}.`) && name.length > server.length + 1);
}

/** `refuses`: whether the failure of a step ends the run. */
export function checkOperations(
  workflow: Workflow,
  report: Report,
  known: KnownOperations,
  refuses: (name: string) => boolean,
): void {
  const all = Object.entries(known.operations).flatMap(([plugin, names]) => names.map((name) => `${plugin}.${name}`));
  const check = (node: OperationNode): void => {
    const servers = [...known.servers, ...Object.keys(node.mcpServers ?? {})];
    if (isOperation(node.operation, { ...known, servers })) return;
    const meant = meantBy(node.operation, known);
    const tools = servers.length === 0 ? "of an MCP server" : `of ${servers.join(", ")} or another MCP server`;
    report.add({
      code: "USER.OPERATION.UNKNOWN",
      message: `there is no operation "${node.operation}"`,
      expected: `one of ${all.join(", ")}, or <server>.<tool> ${tools}`,
      suggestion: meant,
      path: ["states", node.name, "operation"],
      loads: true,
      maybe: meant === null,
      refuses: refuses(node.name),
    });
  };
  for (const node of Object.values(workflow.states)) if (node.type === "operation" && !isUnread(node)) check(node);
}
