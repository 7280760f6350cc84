/**
 * The engine's programs on this machine: fetched from npm when a person asks for it, in a folder of their own.
 *
 * I1. Versions are exact, and no script of a package runs.
 * I2. It is put in place by a rename: nobody sees half of it.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Environment, userFolders } from "../../base/user-folders.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { commandEnvironment } from "../../process/environment.ts";
import { runProgram } from "../../process/run-program.ts";

export const ENGINE_VERSION = "1.7.12";
const SDK_VERSION = "1.17.2";
const PACKAGES = [`@restatedev/restate-server@${ENGINE_VERSION}`, `@restatedev/restate-sdk@${SDK_VERSION}`];
const QUIET = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];

/** `TROUPE_ENGINE_FOLDER`, else in the user's state folder. */
export const engineFolder = (environment: Environment): string =>
  environment["TROUPE_ENGINE_FOLDER"] ||
  join(userFolders(environment).state, "engine", `${ENGINE_VERSION}-${SDK_VERSION}`);

/** The server's program; null where it is not installed. */
export function engineProgram(folder: string): string | null {
  const platform = `${process.platform}-${process.arch}`;
  const program = join(folder, "node_modules", "@restatedev", `restate-server-${platform}`, "bin", "restate-server");
  return existsSync(program) ? program : null;
}

/** Installs what is missing; answers the folder. Throws SYSTEM.ENGINE.NOT_INSTALLED. */
export async function installEngine(environment: Environment): Promise<string> {
  const folder = engineFolder(environment);
  if (engineProgram(folder) !== null) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    const args = ["install", ...QUIET, "--prefix", draft, ...PACKAGES];
    const env = commandEnvironment(environment);
    const { code, stderr } = await runProgram({ path: "npm", args, env, cwd: draft });
    if (code !== 0 || engineProgram(draft) === null) {
      const words = `npm did not install ${PACKAGES.join(" and ")}: ${stderr.trim() || "no program for this machine"}`;
      throw new TroupeError("SYSTEM.ENGINE.NOT_INSTALLED", words, { folder });
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}
