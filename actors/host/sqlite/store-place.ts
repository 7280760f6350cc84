/**
 * Whether a store that is open still stands where it was opened. The system lets a process write on to a file that was
 * removed, and drops all of it with the process.
 *
 * I1. What stands at the place is the file that was opened, also once it was put back. A place that cannot be looked at
 *     says nothing.
 */
import { statSync } from "node:fs";
import { TroupeError } from "../../errors/troupe-error.ts";

/** Opened by now. The answer throws SYSTEM.STORE.MOVED where the file is not there, or another one is. */
export function placeGuard(file: string): () => void {
  const opened = standing(file);
  return () => {
    const found = standing(file);
    if (found === "unknown" || opened === "unknown" || found === opened) return;
    const what = found === "none" ? "is no longer there" : "is another file now";
    throw new TroupeError(
      "SYSTEM.STORE.MOVED",
      `the store ${file} ${what}: nothing more is written to the one that this process has open. Put it back, or end this process and start it again`,
      { file },
    );
  };
}

function standing(file: string): string {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? "none" : `${found.dev} ${found.ino}`;
  } catch {
    return "unknown";
  }
}
