/**
 * Whether this user may use what the store lies in, in words that name the one place that is wrong.
 *
 * I1. It is asked before SQLite opens anything: beside a file that may not be written it makes others of the same rights,
 *     and those stay when the file's own are mended.
 * I2. That the owner is to be changed is said only of what lies in this user's home and is root's.
 */
import { accessSync, constants, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import { type Environment, userFolders } from "../../base/user-folders.ts";
import { userName } from "../../base/user-name.ts";
import { TroupeError } from "../../errors/troupe-error.ts";

const { R_OK, W_OK, X_OK } = constants;
const ELSEWHERE = "set TROUPE_HOME to a folder that can be written";

export type StorePlace = { file: string; environment: Environment };

/** Throws SYSTEM.STORE.UNUSABLE for the first of these that is there and may not be read and written. */
export function refuseDenied(place: StorePlace, folders: readonly string[], files: readonly string[]): void {
  for (const folder of folders) refuse(place, folder, R_OK | W_OK | X_OK);
  for (const file of files) refuse(place, file, R_OK | W_OK);
}

/** Of a folder that could not be made or looked at: the one above it that does not let this user. */
export function refuseAbove(place: StorePlace, folder: string): void {
  const above = dirname(folder);
  if (above !== folder) refuseAbove(place, above);
  const next = wrongWith(folder, X_OK);
  if (next === "ENOENT") return refuse(place, above, W_OK | X_OK);
  // That a file stands in a folder's place is said elsewhere: it lacks no right.
  if (next !== null && next !== "ENOTDIR" && lookedAt(folder).isDirectory) refuse(place, folder, X_OK);
}

function refuse(place: StorePlace, path: string, rights: number): void {
  const code = wrongWith(path, rights);
  if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") return;
  const message = `cannot use the store ${place.file}: ${path} ${code === "EROFS" ? `lies on a file system that is read-only: ${ELSEWHERE}` : denied(path, place)}`;
  throw new TroupeError("SYSTEM.STORE.UNUSABLE", message, { file: place.file, path });
}

/** The system's word for what is wrong; null for nothing. */
function wrongWith(path: string, rights: number): string | null {
  try {
    accessSync(path, rights);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "";
  }
}

function denied(path: string, { environment }: StorePlace): string {
  const { uid, isDirectory } = lookedAt(path);
  if (uid === process.getuid?.())
    return `is yours, and its rights do not let you use it: chmod u+rw${isDirectory ? "x" : ""} ${path}`;
  const own = path.startsWith(`${userFolders({ ...environment, TROUPE_HOME: "" }).home}${sep}`);
  const back = uid === 0 && own ? `sudo chown -R ${userName()} ${path} gives it back, or ` : "";
  return `belongs to another user (${uid === 0 ? "root" : `uid ${uid}`}), and you may not use it: ${back}${ELSEWHERE}`;
}

function lookedAt(path: string): { uid: number; isDirectory: boolean } {
  const found = statSync(path);
  return { uid: found.uid, isDirectory: found.isDirectory() };
}
