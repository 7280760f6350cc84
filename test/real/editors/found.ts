/**
 * The real editors and plugins that the tests run, where a machine has them. No registry that npm reaches has them, so
 * nothing here installs them. The programs are on the PATH or in `bin/` of the folder that TROUPE_EDITORS names
 * (`~/.cache/troupe-editors` by default), the plugins' checkouts in its `plugins/`.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const FOLDER =
  process.env["TROUPE_EDITORS"] ?? join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "troupe-editors");

export type Found = { program: string; plugins: string[]; missing: null } | { missing: string };

/** A program by its name and the folders of its plugins, or what is missing. */
export function find(name: string, plugins: readonly string[]): Found {
  const program = [join(FOLDER, "bin"), ...(process.env["PATH"] ?? "").split(delimiter)]
    .map((folder) => join(folder, name))
    .find(isProgram);
  if (program === undefined) return { missing: `there is no ${name} on the PATH or in ${FOLDER}` };
  const folders = plugins.map((plugin) => join(FOLDER, "plugins", plugin));
  const lacking = folders.find((folder) => !existsSync(folder));
  if (lacking !== undefined) return { missing: `there is no ${lacking}` };
  return starts(program) ? { program, plugins: folders, missing: null } : { missing: `${program} does not start` };
}

/** Asked where the tests' workspaces are: a program from a container does not see every folder of the machine. */
function starts(program: string): boolean {
  return spawnSync(program, ["--version"], { cwd: tmpdir(), timeout: 20_000 }).status === 0;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** With a LuaJIT that was built for Lua 5.2, CodeCompanion takes the main thread for a coroutine of its own. */
export function withPlainLua(found: Found): Found {
  if (found.missing !== null) return found;
  const ask = ["--headless", "--clean", "-c", "lua io.stdout:write(tostring(coroutine.running()))", "-c", "qa!"];
  const { stdout } = spawnSync(found.program, ask, { encoding: "utf8", timeout: 20_000 });
  if (stdout === "nil") return found;
  return { missing: `${found.program} has a LuaJIT with which the plugin cannot list sessions (${stdout})` };
}
