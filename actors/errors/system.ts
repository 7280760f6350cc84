/** What the system's own words for a fault, and SQLite's numbers, mean to a user. */
import type { Code } from "./codes.ts";

const OF_SQLITE: ReadonlyMap<number, Code> = new Map([
  [3, "SYSTEM.STORE.UNUSABLE"], // SQLITE_PERM
  [5, "SYSTEM.STORE.BUSY"], // SQLITE_BUSY
  [6, "SYSTEM.STORE.BUSY"], // SQLITE_LOCKED
  [8, "SYSTEM.STORE.UNUSABLE"], // SQLITE_READONLY
  [10, "SYSTEM.IO.WRITE_FAILED"], // SQLITE_IOERR
  [11, "SYSTEM.STORE.DAMAGED"], // SQLITE_CORRUPT
  [13, "SYSTEM.IO.WRITE_FAILED"], // SQLITE_FULL
  [14, "SYSTEM.STORE.UNUSABLE"], // SQLITE_CANTOPEN
  [26, "SYSTEM.STORE.DAMAGED"], // SQLITE_NOTADB
]);
/** The last byte is the kind of the fault, the rest says more of it. */
const KIND = 0xff;

const SQLITE_ERROR = 1;
/** Our statements fit the tables that were found: something else has changed the file since, or a newer Troupe. */
const LACKS = /^no such (?:table|column): /;

/** The code of an error that SQLite threw, or null where it is none of these. */
export function codeOfSqlite(error: unknown): Code | null {
  if (typeof error !== "object" || error === null || !("errcode" in error) || typeof error.errcode !== "number")
    return null;
  const kind = error.errcode & KIND;
  if (kind === SQLITE_ERROR && isOfOtherTables(error)) return "SYSTEM.STORE.DAMAGED";
  return OF_SQLITE.get(kind) ?? null;
}

/** Whether SQLite lacked a table or a column. */
export const isOfOtherTables = (error: object): boolean => "message" in error && LACKS.test(String(error.message));

const OF_SYSTEM: ReadonlyMap<string, Code> = new Map([
  ["ENOSPC", "SYSTEM.IO.WRITE_FAILED"],
  ["EDQUOT", "SYSTEM.IO.WRITE_FAILED"],
  ["EROFS", "SYSTEM.IO.WRITE_FAILED"],
  ["EACCES", "SYSTEM.IO.PERMISSION_DENIED"],
  ["EPERM", "SYSTEM.IO.PERMISSION_DENIED"],
  ["EMFILE", "SYSTEM.IO.TOO_MANY_FILES"],
  ["ENFILE", "SYSTEM.IO.TOO_MANY_FILES"],
]);

/** The code for what Node calls a fault of the system (`ENOSPC`), or null for any other word. */
export const codeOfErrno = (word: string): Code | null => OF_SYSTEM.get(word) ?? null;

/** Of a watch that the system has not taken, with the limit that is meant; null for every other fault. */
export function watchFault(error: unknown): { code: Code; message: string } | null {
  if (!(error instanceof Error)) return null;
  const { syscall, code = "" } = error as NodeJS.ErrnoException;
  const limit = syscall === "watch" ? OF_WATCHES.get(code) : undefined;
  if (limit === undefined) return null;
  const message = `${error.message}: raise the limit of watched files (${limit}), or watch less at once`;
  return { code: "SYSTEM.IO.TOO_MANY_FILES", message };
}
const OF_WATCHES: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "`sysctl fs.inotify.max_user_watches`"],
  ["EMFILE", "`sysctl fs.inotify.max_user_instances`; or `ulimit -n`, where that is lower"],
]);

const TEMPORARY = /(?:^|[/\\])troupe-(?:[a-z]+-)?(?:\d+-)?\w{6}$/;

/** Of a folder of ours among the temporary files that could not be made; null for every other fault. */
export function temporaryFault(error: unknown): { code: Code; message: string } | null {
  if (!(error instanceof Error)) return null;
  const { syscall, path = "", code = "" } = error as NodeJS.ErrnoException;
  if (syscall !== "mkdtemp" || !TEMPORARY.test(path)) return null;
  const message = `no folder can be made among the temporary files: ${error.message}. Set TMPDIR to a folder that can be written`;
  return { code: codeOfErrno(code) ?? "SYSTEM.IO.WRITE_FAILED", message };
}
