/**
 * What a client brings with its session: further directories, and servers of tools.
 *
 * I1. No more than MAX_SERVERS servers and MAX_DIRECTORIES directories are taken; all directories are absolute.
 * I2. Values of headers and variables are learned as secrets before anything is written: the store
 *     holds marks. Their names are the same for every process, so that a client that brings them again gives them back.
 */
import { isAbsolute } from "node:path";
import type { Setup } from "../../../machines/settings.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { learnServer } from "../../masking/given.ts";
import type { Mask } from "../../masking/masking.ts";

export const MAX_SERVERS = 64;
export const MAX_DIRECTORIES = 64;

export type GivenSetup = Partial<Setup>;

/** Throws USER.SESSION.SETUP. */
export function checkedSetup({ additionalDirectories = [], mcpServers = [], merges }: GivenSetup): Setup {
  if (mcpServers.length > MAX_SERVERS)
    throw refused("mcpServers", `at most ${MAX_SERVERS} servers are taken, not ${mcpServers.length}`);
  if (additionalDirectories.length > MAX_DIRECTORIES)
    throw refused(
      "additionalDirectories",
      `at most ${MAX_DIRECTORIES} directories are taken, not ${additionalDirectories.length}`,
    );
  for (const directory of additionalDirectories)
    if (!isAbsolute(directory))
      throw refused("additionalDirectories", `each must be an absolute path, not "${directory}"`);
  const names = new Set<string>();
  for (const { name } of mcpServers) {
    if (names.has(name)) throw refused("mcpServers", `two servers are called "${name}"`);
    names.add(name);
  }
  return { additionalDirectories, mcpServers, ...(merges === "allow" ? { merges } : {}) };
}

/** The masking hears of every value that is a secret (I2). */
export function learnSetup(session: string, { mcpServers }: Setup, mask: Pick<Mask, "learn">): void {
  for (const server of mcpServers) learnServer(mask, `mcp/${session}`, server);
}

const refused = (field: string, why: string): TroupeError =>
  new TroupeError("USER.SESSION.SETUP", `${field}: ${why}`, { field });
