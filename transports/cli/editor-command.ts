/**
 * The command by which an editor starts Troupe.
 *
 * I1. An editor that was not started from a shell has the system's own PATH: what it shall start is named by its whole path.
 * I2. Troupe is a script, which its system starts with the first `node` of that PATH. Where that is another one than ours,
 *     or there is none, ours is named as well.
 * I3. A launcher of a version manager is left to find its own Node, and a program of one file has it within.
 */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../../actors/troupe.ts";

/** `node` and `script`: what runs now; `system`: the folders of an editor's PATH. */
export type Running = {
  env: Environment;
  node: string;
  script: string | undefined;
  system: readonly string[];
};

/** The folders of the PATH of a program that is started from a desktop. */
export const systemPath = (platform: NodeJS.Platform): readonly string[] =>
  platform === "darwin" ? ["/usr/bin", "/bin"] : ["/usr/local/bin", "/usr/bin", "/bin"];

/** The program and its arguments. */
export function editorCommand({ env, node, script, system }: Running): [string, ...string[]] {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const troupe = firstOf(folders, "troupe", () => true);
  const isOurs = (path: string): boolean => realpathSync(path) === realpathSync(node);
  // By the name that stays when Node is brought up to date.
  const named = (): string => firstOf(folders, "node", isOurs) ?? node;
  if (troupe === undefined) return script === undefined ? ["troupe", "acp"] : [named(), script, "acp"];
  const isScript = script !== undefined && realpathSync(troupe) === realpathSync(script) && !isOurs(troupe);
  const found = firstOf(system, "node", () => true);
  const finds = found !== undefined && isOurs(found);
  return isScript && !finds ? [named(), troupe, "acp"] : [troupe, "acp"];
}

/** The first program of a name that is fit, as it stands in its folder. */
const firstOf = (folders: readonly string[], name: string, isFit: (path: string) => boolean): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => isProgram(path) && isFit(path));

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
