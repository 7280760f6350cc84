/**
 * MCP servers of the user's configuration of which a variable is not set here.
 *
 * I1. Steps do without them and say so; one that names such a server fails with USER.CONFIG.INVALID. Their names are known.
 */
import { TroupeError } from "../errors/troupe-error.ts";
import type { Config, LackingServer } from "./settings.ts";

/** The names of all servers in the configuration. */
export const serverNames = ({ mcpServers = [], lackingServers = [] }: Partial<Config>): string[] =>
  [...mcpServers, ...lackingServers.map(({ server }) => server)].map(({ name }) => name);

export const lackText = ({ server, variables: [first] }: LackingServer): string =>
  `the MCP server "${server.name}" needs ${first.name} from the variable ${first.variable}, which is not set`;

/** Of some servers the one whose tool an operation is. A name may hold points: the longest that fits is meant. */
export const meantServer = (operation: string, names: readonly string[]): string | undefined =>
  names
    .filter((name) => operation.startsWith(`${name}.`) && operation.length > name.length + 1)
    .toSorted((a, b) => b.length - a.length)[0];

/** Throws USER.CONFIG.INVALID where the server is one that lacks a variable. */
export function needServer(name: string | undefined, lacking: readonly LackingServer[], where: string): void {
  const found = lacking.find(({ server }) => server.name === name);
  if (found === undefined) return;
  const details = { server: found.server.name, variable: found.variables[0].variable };
  throw new TroupeError("USER.CONFIG.INVALID", `${where}: ${lackText(found)}`, details);
}
