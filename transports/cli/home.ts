/**
 * The user's home as everything that is loaded later will ask for it.
 *
 * I1. To Node an empty HOME is the folder that a process stands in, and a relative one a folder below it; without one it
 *     asks the system. A container may run as a number that no file of the system names: its home is `/`, as Docker has it.
 */
import { homedir } from "node:os";
import { isAbsolute } from "node:path";

export function settleHome(env: NodeJS.ProcessEnv = process.env, ask: () => string = homedir): void {
  if (isAbsolute(env["HOME"] ?? "")) return;
  delete env["HOME"];
  try {
    ask();
  } catch {
    env["HOME"] = "/";
  }
}
