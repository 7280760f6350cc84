/** The directory that a session works in, as it was asked for. */
import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { TroupeError } from "../errors/troupe-error.ts";

/** Throws USER.SESSION.CWD. */
export function directory(cwd: string): string {
  // A program in JavaScript may have left it out.
  if (typeof cwd !== "string" || !isAbsolute(cwd))
    throw new TroupeError("USER.SESSION.CWD", `cwd must be an absolute path, not "${cwd}"`, { field: "cwd", cwd });
  if (!isDirectory(cwd))
    throw new TroupeError("USER.SESSION.CWD", `"${cwd}" is not an existing directory`, {
      field: "cwd",
      cwd,
    });
  return plainPath(cwd);
}

/**
 * An absolute path in one spelling: a folder is one folder whether a slash stands at its end or not. One with `..` is
 * left as it is, since a link before it says where that leads.
 */
export const plainPath = (path: string): string => (path.split("/").includes("..") ? path : resolve(path));

/** Why nothing can be done where a session's directory was; null where it is there. */
export const directoryGone = (cwd: string, so: string): TroupeError | null =>
  isDirectory(cwd) ? null : new TroupeError("USER.SESSION.CWD", `${cwd} is not there any more, ${so}`, { cwd });

export const NOTHING_RUNS = "so nothing runs there: put it back, or open a session in another folder";

/** Throws where nothing can begin in it: USER.SESSION.CWD. */
export function refuseGone(cwd: string): void {
  const gone = directoryGone(cwd, NOTHING_RUNS);
  if (gone !== null) throw gone;
}

/** What cannot be looked at is none: a path that is too long, closed to us, or no path at all. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
