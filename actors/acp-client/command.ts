/**
 * Which file a configured command is.
 *
 * I1. A command is one word: no shell, no splitting.
 * I2. A bare name is looked for in the absolute entries of PATH only: never in the working directory, whatever PATH says.
 * I3. What is found is a regular file that may be executed, by its absolute path.
 */
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ClientError } from "./errors.ts";

/** Of the folders of PATH, so many stand in a message. */
const MOST_SHOWN = 3;

export type CommandPlace = {
  path: string | undefined;
  /** What a relative path is relative to: the folder of the user's configuration. Null refuses relative paths. */
  base: string | null;
  home?: string;
};

/** The absolute path of a command, or the error `agentNotFound` with the places that were searched. */
export function resolveCommand(command: string, { path, base, home = homedir() }: CommandPlace): string {
  if (command === "" || command.includes("\0"))
    throw notFound(command, [], "a command is the name or path of a program");
  if (command.startsWith("~/")) return file(command, join(home, command.slice(2)));
  if (isAbsolute(command)) return file(command, command);
  if (command.includes("/")) {
    if (base !== null) return file(command, resolve(base, command));
    throw notFound(command, [], "a relative path is not taken from here; give an absolute one");
  }
  const folders = [...new Set((path ?? "").split(":").filter(isAbsolute))];
  const found = folders.map((folder) => join(folder, command)).find(isProgram);
  if (found !== undefined) return found;
  throw notFound(command, folders, "install it, or give its full path");
}

function file(command: string, path: string): string {
  if (isProgram(path)) return path;
  throw notFound(command, [path], "there is no file there that may be executed");
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function notFound(command: string, searched: string[], advice: string): ClientError {
  const more = searched.length - MOST_SHOWN;
  const rest = more > 0 ? ` and ${more} more folder${more === 1 ? "" : "s"} of PATH` : "";
  const where = searched.length === 0 ? "" : ` in ${searched.slice(0, MOST_SHOWN).join(", ")}${rest}`;
  return new ClientError("agentNotFound", `there is no agent program "${command}"${where}: ${advice}`, {
    command,
    searched,
  });
}
