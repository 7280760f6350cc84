/**
 * Reads the script and prompt files that a workflow names, for its checks.
 *
 * I1. A file is found as a run finds it, under the same limits; nothing else of the user's home is opened for
 *     a check than the folders of Troupe's configuration.
 * I2. What cannot be read is null: why is not for this check to say.
 * I3. Of a path with a template is known what folders make of it: `{{.awf.scripts_dir}}/x.sh`.
 */

import type { Budget } from "../base/budget.ts";
import { limitsOf } from "../base/limits.ts";
import type { Environment } from "../base/user-folders.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { readAllowed } from "./files.ts";
import { KnownTexts } from "./known.ts";
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
  const known = new KnownTexts({ environment, cwd, file }, null);
  const read = (written: string): string | null => {
    if (written.startsWith("~/") || texts.size >= MOST_FILES) return null;
    const path = known.text(written);
    if (path === null) return null;
    try {
      const { text } = readAllowed({ where: "script_file", ...readingOf(path, known.site), maxBytes });
      budget.bytes(Buffer.byteLength(text));
      return text;
    } catch (error) {
      if (error instanceof TroupeError) return null;
      throw error;
    }
  };
  return (written) => {
    const before = texts.get(written);
    if (before !== undefined) return before;
    const text = read(written);
    texts.set(written, text);
    return text;
  };
}
