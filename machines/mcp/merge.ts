/**
 * Which MCP servers an agent is given, of those that the user configured, the workflow names and the editor passed.
 *
 * I1. One server per name: the workflow's entry goes before the user's, the editor's before both.
 * I2. A name that the workflow has pinned may not come from the editor too: that is an error, never a choice.
 * I3. The order is that of first mention: user, workflow, editor.
 */
import type { McpServer } from "./server.ts";

export type Named = McpServer & { pinned?: boolean };
export type ServerSource = "you" | "the workflow" | "the editor";
export type Merged =
  | { ok: true; servers: McpServer[]; sources: { [name: string]: ServerSource } }
  | { ok: false; collision: string };

export function mergeServers(from: {
  user: readonly McpServer[];
  workflow: readonly Named[];
  editor: readonly McpServer[];
}): Merged {
  const pinned = new Set(from.workflow.filter((each) => each.pinned === true).map((each) => each.name));
  const collision = from.editor.find((each) => pinned.has(each.name));
  if (collision !== undefined) return { ok: false, collision: collision.name };
  const servers = new Map<string, McpServer>();
  for (const { pinned: _, ...server } of [...from.user, ...from.workflow, ...from.editor] as Named[]) {
    servers.set(server.name, server as McpServer);
  }
  const sources = new Map<string, ServerSource>([
    ...from.user.map(({ name }) => [name, "you"] as const),
    ...from.workflow.map(({ name }) => [name, "the workflow"] as const),
    ...from.editor.map(({ name }) => [name, "the editor"] as const),
  ]);
  return { ok: true, servers: [...servers.values()], sources: Object.fromEntries(sources) };
}
