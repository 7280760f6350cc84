/**
 * Reads a file that a workflow names.
 *
 * I1. Only a plain file inside one of the given folders is read, symbolic links resolved before the look.
 * I2. Nothing larger than the cap is read.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import type { Code } from "../errors/codes.ts";
import { TroupeError } from "../errors/troupe-error.ts";

export type Reading = {
  /** What names the file, for messages: `states.build.script_file`. */
  where: string;
  /** As the author wrote it, rendered. */
  path: string;
  /** Absolute paths that are tried, in order. */
  candidates: readonly string[];
  /** Folders that the file may stand in. */
  roots: readonly string[];
  maxBytes: number;
  /** Only a file that has no second name: a hard link may lead anywhere, and nothing says where. */
  onlyName?: boolean;
};
export type FoundFile = { path: string; text: string };

const faultOf = (o: Reading, code: Code, why: string): TroupeError =>
  new TroupeError(code, `${o.where}: "${o.path}" ${why}`, { file: o.path });

/** The real path of the first that exists, which may be read. Nothing is opened. Throws a `TroupeError`. */
export function findAllowed(o: Reading): string {
  const fault = (code: Code, why: string) => faultOf(o, code, why);
  if (o.path === "" || o.path.includes("\0")) throw fault("USER.INPUT.MISSING_FILE", "is no path of a file");
  const path = o.candidates.map(realpathOf).find((real) => real !== null);
  if (path === undefined) {
    throw fault("USER.INPUT.MISSING_FILE", `does not exist; looked for ${[...new Set(o.candidates)].join(", ")}`);
  }
  if (isInside(path, o.roots)) return path;
  const expected = `expected a file below ${o.roots.join(" or ")}`;
  throw fault("SYSTEM.IO.PERMISSION_DENIED", `leads outside of what may be read; ${expected}`);
}

/** The text of the first file that exists. Throws a `TroupeError`. */
export function readAllowed(o: Reading): FoundFile {
  const fault = (code: Code, why: string) => faultOf(o, code, why);
  const path = findAllowed(o);
  try {
    // The last part is no link any more; a pipe in its place must not make us wait.
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size, nlink } = fstatSync(file);
      if (!fstatSync(file).isFile()) throw fault("USER.INPUT.MISSING_FILE", "is no plain file");
      if (o.onlyName === true && nlink > 1) {
        throw fault("SYSTEM.IO.PERMISSION_DENIED", "is a hard link, which may lead out of the folder; copy the file");
      }
      if (size > o.maxBytes) {
        throw fault("SYSTEM.IO.READ_FAILED", `has ${size} bytes; at most ${o.maxBytes} are read`);
      }
      return { path, text: readFileSync(file, "utf8") };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    throw fault("SYSTEM.IO.READ_FAILED", `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The path with all links resolved, or null when there is nothing. */
export function realpathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** True for a resolved path that is one of the folders or stands below one. */
export function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const real = realpathOf(root);
    return real !== null && (path === real || path.startsWith(real.endsWith(sep) ? real : real + sep));
  });
}
