/** Where a user's state, configuration and caches live. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import envPaths from "env-paths";
import { TroupeError } from "../errors/troupe-error.ts";

/** Variables of the environment, by name. */
export type Environment = { readonly [name: string]: string | undefined };
export type UserFolders = { state: string; config: string; cache: string; home: string };

/** A variable that names a folder, where it does: a relative one would mean another folder in each directory. */
export const absolute = (value: string | undefined): string | undefined =>
  value !== undefined && isAbsolute(value) ? value : undefined;

/**
 * The state folder (`TROUPE_HOME`, else the system's place for a user's state), the folder above user-wide workflows, and
 * ours for what can be made again at any time. Throws USER.CLI.USAGE when `TROUPE_HOME` is not absolute.
 */
export function userFolders(environment: Environment): UserFolders {
  const home = absolute(environment["HOME"]) ?? homedir();
  const chosen = environment["TROUPE_HOME"];
  if (chosen !== undefined && chosen !== "" && !isAbsolute(chosen)) {
    throw new TroupeError("USER.CLI.USAGE", `TROUPE_HOME must be an absolute path, not "${chosen}"`, {
      variable: "TROUPE_HOME",
    });
  }
  const paths = envPaths("troupe", { suffix: "" });
  const state =
    process.platform === "linux"
      ? join(absolute(environment["XDG_STATE_HOME"]) ?? join(home, ".local", "state"), "troupe")
      : paths.data;
  const config = absolute(environment["XDG_CONFIG_HOME"]) ?? join(home, ".config");
  const cache = join(absolute(environment["XDG_CACHE_HOME"]) ?? join(home, ".cache"), "troupe");
  return { state: chosen || state, config, cache, home };
}
