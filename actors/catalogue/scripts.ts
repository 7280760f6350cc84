/**
 * Reads the script and prompt files that a workflow names, for its checks.
 *
 * I1. A file is found as a run finds it, under the same limits; nothing of the user's home is opened for a check.
 * I2. What cannot be read is null: why is not for this check to say.
 */

import type { Budget } from "../base/budget.ts";
import { limitsOf } from "../base/limits.ts";
import type { Environment } from "../base/user-folders.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { readAllowed } from "./files.ts";
import { readingOf } from "./workflow-paths.ts";

/** The most files that one check reads. */
const MOST_FILES = 64;

export function scriptReader(
  cwd: string,
  file: string,
  environment: Environment,
  budget: Budget,
): (path: string) => string | null {
  const texts = new Map<string, string | null>();
  const maxBytes = limitsOf({}).fileBytes;
  const read = (path: string): string | null => {
    if (path.startsWith("~/") || texts.size >= MOST_FILES) return null;
    try {
      const { text } = readAllowed({ where: "script_file", ...readingOf(path, { environment, cwd, file }), maxBytes });
      budget.bytes(Buffer.byteLength(text));
      return text;
    } catch (error) {
      if (error instanceof TroupeError) return null;
      throw error;
    }
  };
  return (path) => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const text = read(path);
    texts.set(path, text);
    return text;
  };
}
