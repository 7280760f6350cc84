/**
 * The folders that a session may touch: its working directory and the additional ones.
 *
 * I1. A path counts by where it really is, with every symbolic link followed in the order in which it stands.
 * I2. A path is compared with a root component by component; a name that only begins like a root is not inside.
 */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, sep } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";

/** A place inside a root: its real root, and the names below it. */
export type RootedPath = { root: string; below: string[] };

export class Roots {
  /** The working directory, as it was given. */
  readonly cwd: string;
  readonly #real: readonly string[];
  private constructor(cwd: string, real: readonly string[]) {
    this.cwd = cwd;
    this.#real = real;
  }

  /** The roots as they are now. */
  static async of(cwd: string, additional: readonly string[] = []): Promise<Roots> {
    return new Roots(cwd, await Promise.all([cwd, ...additional].map((folder) => realpath(folder))));
  }

  /** Where a real path is, or null if it is outside of all roots. */
  place(real: string): RootedPath | null {
    for (const root of this.#real) {
      const path = relative(root, real);
      if (path === "") return { root, below: [] };
      if (!isAbsolute(path) && path !== ".." && !path.startsWith(`..${sep}`)) return { root, below: path.split(sep) };
    }
    return null;
  }

  /** The real path of an existing folder inside the roots; throws -32602 for any other. */
  async folder(path: string): Promise<string> {
    checkPath(path);
    const real = await realpath(path).catch(() => null);
    if (real === null || !(await stat(real)).isDirectory()) throw invalid(path, "it is no folder");
    if (this.place(real) === null) throw outside(path);
    return real;
  }
}

/** The nearest folder above a path that exists, by its real path, and the names that are missing between. */
export async function nearest(path: string): Promise<{ real: string; missing: string[] }> {
  const missing: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" && dirname(folder) !== folder) return null;
      throw error;
    });
    if (real !== null) return { real, missing };
    missing.unshift(basename(folder));
  }
}

/** Throws -32602 for what is no absolute path. */
export function checkPath(path: string): void {
  if (!isAbsolute(path)) throw invalid(path, "it must be absolute");
  if (path.includes("\0")) throw invalid(path, "it holds a NUL");
}

export const invalid = (path: string, why: string): RequestError =>
  new RequestError(-32602, `Invalid path: ${why}`, { path, reason: "invalid_path" });
export const outside = (path: string): RequestError =>
  new RequestError(-32602, "Invalid path: it is outside of the workspace", { path, reason: "outside_workspace" });
export const failed = (path: string, why: string): RequestError =>
  new RequestError(-32603, `Internal error: ${why}`, { path, details: why });
