/**
 * The servers that one process of an agent is handed, for as long as it lives: those whose credentials stay with us by a
 * way of ours, which ends with the process. H43.
 */
import { dirname } from "node:path";
import type { McpServer } from "../../../machines/mcp/server.ts";
import { resolveCommand } from "../../acp-client/command.ts";
import { isClientError } from "../../acp-client/errors.ts";
import type { Environment } from "../../base/user-folders.ts";
import type { AcpAgent } from "../../config/settings.ts";
import { socketFolderOf } from "../../mcp/bridged.ts";
import { relayed } from "../../mcp/relay.ts";
import { type Argv, boxFor } from "./sandbox.ts";
import { keepsSecrets } from "./servers.ts";

type Place = {
  agent: AcpAgent;
  cwd: string;
  workspace: string;
  environment: Environment;
  marker: { readonly [name: string]: string };
};
export type HandedServers = {
  servers: McpServer[];
  /** How the agent's programs start: its sandbox, where it has one, lets it reach these servers. */
  boxed: (argv: Argv, cwd: string) => Argv;
  close(): Promise<void>;
};

/** `servers`: those that are passed on. Throws USER.AGENT.SANDBOX. */
export async function handServers(servers: readonly McpServer[], place: Place): Promise<HandedServers> {
  const { agent, cwd, workspace, environment, marker } = place;
  let box: (argv: Argv, cwd: string) => Argv = (argv) => argv;
  const ways: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => void (await Promise.all(ways.map((way) => way.close())));
  const handed: McpServer[] = [];
  try {
    for (const server of servers) {
      const found = keepsSecrets(agent, server) ? startable(server, place) : null;
      if (found === null) {
        handed.push(server);
        continue;
      }
      // It is started in the agent's sandbox, as if the agent had.
      const way = await relayed(found, { cwd, environment, marker, boxed: (argv, folder) => box(argv, folder) });
      ways.push(way);
      handed.push(way.server);
    }
    box = await boxFor(agent, { workspace, environment, reach: handed.flatMap(socketFolderOf) });
    return { servers: handed, boxed: box, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The server by its program's full path; null where there is none, which is told where it is handed over. */
function startable(server: McpServer, { agent, environment }: Place): McpServer | null {
  if (server.transport !== "stdio") return server;
  try {
    const command = resolveCommand(server.command, { path: environment["PATH"], base: dirname(agent.file) });
    return { ...server, command };
  } catch (error) {
    if (isClientError(error, "agentNotFound")) return null;
    throw error;
  }
}
