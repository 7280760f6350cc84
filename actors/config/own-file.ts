/**
 * Where a file of the user's configuration really is.
 *
 * I1. What everybody may write is refused.
 * I2. A link is followed: who keeps such files elsewhere links to them. It leads to a file of the user, of whoever made
 *     the link, or of root. One that leads nowhere is refused: what its file forbids would be allowed.
 */
import { lstatSync, realpathSync, type Stats } from "node:fs";
import { lstatAt } from "../base/stat-at.ts";
import { TroupeError } from "../errors/troupe-error.ts";

const ROOT = 0;

/** The path of the file itself; null where there is none. Throws USER.CONFIG.INVALID. */
export function ownFile(file: string): string | null {
  const stat = lstatAt(file);
  if (stat === undefined) return null;
  const real = stat.isSymbolicLink() ? ledTo(file, stat) : { path: file, stat };
  if (process.platform !== "win32" && (real.stat.mode & 0o002) !== 0)
    throw invalid(file, `may be written by everybody; take that right away: chmod o-w ${real.path}`);
  return real.path;
}

/** I2. */
function ledTo(file: string, link: Stats): { path: string; stat: Stats } {
  let path: string;
  try {
    path = realpathSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalid(
      file,
      `is a symbolic link that leads to no file (${code}): put the file there, or take the link away`,
    );
  }
  const stat = lstatSync(path);
  if (!stat.isFile()) throw invalid(file, `is a symbolic link to ${path}, which is no file`);
  if (![process.getuid?.() ?? stat.uid, link.uid, ROOT].includes(stat.uid))
    throw invalid(file, `is a symbolic link to ${path}, which belongs to another user: it has to be yours`);
  return { path, stat };
}

const invalid = (file: string, what: string): TroupeError =>
  new TroupeError("USER.CONFIG.INVALID", `${file} ${what}`, { file });
