/**
 * Inputs that name a file: `@prompts/review.md` stands for its text without the blanks around it, as on AWF's command line.
 *
 * I1. Only a plain file below one of the prompts folders is read, links resolved: the project's, then the user's own.
 *     One with a second name, a hard link, is not.
 */

import { join } from "node:path";
import { LIMITS } from "../base/limits.ts";
import type { Environment } from "../base/user-folders.ts";
import { readAllowed } from "../catalogue/files.ts";
import { foldersOf } from "../catalogue/workflow-paths.ts";
import { TroupeError } from "../errors/troupe-error.ts";

const PROMPTS = "@prompts/";

/** The text of the file that a value names, or the value itself. Throws a `TroupeError`. */
export function promptFileOf(value: string, site: { environment: Environment; cwd: string }): string {
  if (!value.startsWith(PROMPTS)) return value;
  const path = value.slice(PROMPTS.length);
  if (path.split(/[\\/]/).includes("..")) {
    const message = 'a value that begins with @prompts/ names a file below a prompts folder, without ".."';
    throw new TroupeError("USER.INPUT.INVALID_FORMAT", message);
  }
  const folders = foldersOf("prompts", { ...site, file: null });
  const candidates = folders.map((folder) => join(folder, path));
  return readAllowed({
    where: "inputs",
    path: value,
    candidates,
    roots: folders,
    maxBytes: LIMITS.fileBytes,
    onlyName: true,
  }).text.trim();
}
