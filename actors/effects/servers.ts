/**
 * The MCP servers of one step: those that the user configured, the workflow names and the session's client brought.
 *
 * I1. One rule decides between them (`machines/mcp/merge.ts`).
 * I2. A workflow may set no variable of a server that makes a program load other code.
 * I3. Values of variables and headers are learned as secrets before anything uses them.
 */
import { type McpEntry, serverOf } from "../../machines/mcp/entry.ts";
import { type Merged, mergeServers, type Named } from "../../machines/mcp/merge.ts";
import type { Json, Key } from "../../machines/model.ts";
import type { McpServers } from "../../machines/workflow/document.ts";
import { mcpServer } from "../../machines/workflow/schema/mcp-server.ts";
import { configuredEnvironment } from "../agents/configured.ts";
import type { AcpAgent, Config } from "../config/config.ts";
import { lackText } from "../config/lacking-servers.ts";
import type { LackingServer } from "../config/settings.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { learnServer } from "../masking/given.ts";
import type { EffectOptions } from "./options.ts";
import type { Rendering } from "./rendering.ts";

type ServerOptions = Pick<EffectOptions, "config" | "sessionServers" | "mask">;
type ServerRequest = {
  /** `mcp_servers` of the workflow. */
  workflow: McpServers | undefined;
  /** `mcp_servers` of the step's own options, already rendered; they go before the workflow's. */
  step?: Json | undefined;
  session: Key;
  where: string;
};

export type StepServers = Pick<Extract<Merged, { ok: true }>, "servers" | "sources"> & { lacking: LackingServer[] };

/** The servers of a step, where each comes from, and those of the user's that it does without. Throws a `TroupeError` that names the entry that is wrong. */
export function serversOf(
  { workflow, step, session, where }: ServerRequest,
  rendering: Rendering,
  options: ServerOptions,
): StepServers {
  const { mcpServers = [], lackingServers = [] }: Partial<Config> = options.config?.() ?? {};
  const merged = mergeServers({
    user: mcpServers,
    workflow: [
      ...named(rendering.record(workflow ?? {}, "mcp_servers"), "mcp_servers"),
      ...(step === undefined || step === null ? [] : named(step, `${where}.options.mcp_servers`)),
    ],
    editor: options.sessionServers?.(session) ?? [],
  });
  if (!merged.ok) {
    const message =
      `mcp_servers.${merged.collision}: the workflow pins this server, and the client has brought one of the same ` +
      "name; take it away there, or give it another name";
    throw new TroupeError("USER.MCP.PINNED", message, { server: merged.collision });
  }
  if (options.mask !== undefined) for (const server of merged.servers) learnServer(options.mask, "mcp", server);
  return { ...merged, lacking: lackingServers.filter(({ server }) => !Object.hasOwn(merged.sources, server.name)) };
}

/** What an agent step says of servers that it does without; of an agent of the user's own, of those that it would get. */
export function saysLacking(
  lacking: readonly LackingServer[],
  agent: Pick<AcpAgent, "mcpServers" | "mcp"> | undefined,
  note: (severity: "warning", message: string) => void,
): void {
  const gets = (name: string): boolean =>
    agent === undefined || [...agent.mcpServers, ...(agent.mcp?.ask ?? [])].some((one) => one === name || one === "*");
  for (const one of lacking) if (gets(one.server.name)) note("warning", `${lackText(one)}; the agent works without it`);
}

function named(entries: Json, where: string): Named[] {
  if (typeof entries !== "object" || entries === null || Array.isArray(entries)) {
    throw new TroupeError("USER.AGENT.INVALID_OPTION", `${where}: expected a map`, { field: where });
  }
  return Object.entries(entries).map(([name, entry]) => {
    const field = `${where}.${name}`;
    const checked = mcpServer.safeParse(entry);
    if (!checked.success) {
      const [issue] = checked.error.issues;
      const at = [field, ...(issue?.path ?? [])].join(".");
      const what =
        issue?.code === "unrecognized_keys" ? `${issue.keys.join(", ")} is not known` : `expected ${issue?.message}`;
      throw new TroupeError("USER.MCP.INVALID_SERVER", `${at}: ${what}`, { field: at });
    }
    const entered = serverOf(name, checked.data as McpEntry);
    if (!entered.ok) throw new TroupeError("USER.MCP.INVALID_SERVER", `${field}: ${entered.message}`, { field });
    const { server } = entered;
    if (server.transport === "stdio") configuredEnvironment({ env: server.env }, `${field}.env`);
    return checked.data.pinned === true ? { ...server, pinned: true } : server;
  });
}
