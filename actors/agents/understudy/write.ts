/**
 * Writes a file for a script.
 *
 * I1. Only inside the step's folder: no absolute path, no way up, no symbolic link on the way or at the end of it.
 */
import { constants } from "node:fs";
import { lstat, mkdir, open } from "node:fs/promises";
import { isAbsolute, join, normalize, sep } from "node:path";

export type Written = { ok: true } | { ok: false; class: "refused" | "crashed"; message: string };

/** Writes `text` to `path` below `cwd`, over what is there; folders on the way are made. */
export async function write(cwd: string, path: string, text: string): Promise<Written> {
  const refused = (why: string): Written => ({ ok: false, class: "refused", message: `write: "${path}" ${why}.` });
  const parts = normalize(path).split(sep);
  if (path.includes("\0") || isAbsolute(path) || parts.includes("..")) {
    return refused("leads out of the step's folder: expected a path inside it");
  }
  try {
    let here = cwd;
    for (const [index, part] of parts.entries()) {
      here = join(here, part);
      const found = await lstat(here).catch(unlessMissing);
      if (found?.isSymbolicLink()) return refused("goes through a symbolic link: expected plain folders and files");
      if (index < parts.length - 1) {
        if (found === null) await mkdir(here);
      } else if (found !== null && !found.isFile()) return refused("is no file: expected the path of a file");
    }
    // The last look and the opening are two steps: O_NOFOLLOW refuses a link put there in between.
    const file = await open(
      here,
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
      0o666,
    );
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
    return { ok: true };
  } catch (error) {
    return {
      ok: false,
      class: "crashed",
      message: `write: "${path}" could not be written: ${(error as Error).message}`,
    };
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
