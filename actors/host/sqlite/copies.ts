/**
 * Copies of a store: made while others use it, put back while nobody does.
 *
 * I1. A copy is whole or not there: it is made under another name, and takes its own at once. A folder that is there is
 *     not replaced, it may be a mount point, or where who asks stands: what it gets takes its names there, the log last.
 * I2. A copy is of one moment of its file. The log's is made first: what stands beside it may hold more than the log names,
 *     never less.
 * I3. A store that some process has open is not replaced; of a damaged one nobody can tell. What is replaced is moved
 *     aside, never removed, and with all of its files: one that stays would be taken for a part of the copy. A folder
 *     beside the store is replaced where the copy has it: copies of earlier versions have none.
 * I4. Only what is sound, and of no later form, is put back, and whole: also what stands in a write-ahead log beside it.
 * I5. Only this user may read a copy.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder } from "../../base/make-folder.ts";
import { codeOfSqlite } from "../../errors/system.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { ATTACHMENTS_FILE } from "./attachments.ts";
import { isBusy } from "./busy.ts";
import { CONVERSATIONS_FILE } from "./conversations.ts";
import { SCHEMA_VERSION } from "./schema.ts";

const BESIDE = [ATTACHMENTS_FILE, CONVERSATIONS_FILE];
const filesOf = (file: string): string[] => [basename(file), ...BESIDE];
/** What SQLite keeps beside a file of its own; the write-ahead log holds commits that the file does not have yet. */
const OF_SQLITE = ["", "-wal", "-shm"];

/** A folder beside the store that belongs to a copy. `copy` makes nothing where nothing is to be copied. */
export type FolderBeside = { name: string; copy: (from: string, to: string) => void };
/** `id`: makes names that are in nobody's way. */
export type CopyOptions = { file: string; folder: string; id: string; beside: readonly FolderBeside[] };

/** Copies a store into a folder that is empty, or made for it; answers the names of the files. */
export function copyStore({ file, folder, id, beside }: CopyOptions): string[] {
  const isThere = existsSync(folder);
  if (isThere && readdirSync(folder).length > 0)
    throw new TroupeError("USER.CLI.EXISTS", `${folder} is not empty, and nothing was written`, { folder });
  if (!existsSync(file))
    throw new TroupeError("USER.CLI.USAGE", `there is no store at ${file}: nothing is to be copied`, { file });
  const draft = isThere ? join(folder, `.${id}`) : `${folder}.${id}`;
  return privately(() => {
    try {
      makeFolder(dirname(draft));
      mkdirSync(draft, { mode: 0o700 });
      const names = filesOf(file).filter((name) => existsSync(join(dirname(file), name)));
      for (const name of names) copyOne(join(dirname(file), name), join(draft, name));
      for (const { name, copy } of beside) copy(join(dirname(file), name), join(draft, name));
      const made = [...names, ...beside.map(({ name }) => name).filter((name) => existsSync(join(draft, name)))];
      if (isThere) for (const name of made.toReversed()) renameSync(join(draft, name), join(folder, name));
      else renameSync(draft, folder);
      return made;
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  });
}

/** Puts a copy back; answers where what stood there is now, or null. Throws SYSTEM.STORE.*. */
export function restoreStore({ file, folder, id, beside, force }: CopyOptions & { force: boolean }): string | null {
  const names = filesOf(file).filter((name) => existsSync(join(folder, name)));
  if (!names.includes(basename(file)))
    throw new TroupeError("USER.CLI.USAGE", `${folder} has no copy of a store in it: ${basename(file)} is missing`, {
      folder,
    });
  for (const name of names) refuseUnsound(join(folder, name), name === basename(file));
  const there = existsSync(file);
  if (there && !force)
    throw new TroupeError("USER.CLI.EXISTS", `there is a store at ${file}: --force moves it aside`, { file });
  const state = dirname(file);
  const aside = join(state, `replaced-${id}`);
  const draftOf = (name: string): string => join(state, `${name}.${id}`);
  const folders = beside.filter(({ name }) => existsSync(join(folder, name)));
  const parts = [...names, ...folders.map(({ name }) => name)];
  return privately(() => {
    makeFolder(state);
    let lock: DatabaseSync | null = null;
    let old: string[] = [];
    try {
      for (const name of names) copyOne(join(folder, name), draftOf(name));
      for (const { name, copy } of folders) copy(join(folder, name), draftOf(name));
      lock = there ? lockedAlone(file) : null; // as short as can be: who opens the store meanwhile waits for it
      old = filesOf(file)
        .flatMap((name) => OF_SQLITE.map((suffix) => name + suffix))
        .concat(folders.map(({ name }) => name))
        .filter((name) => existsSync(join(state, name)));
      if (old.length > 0) mkdirSync(aside, { mode: 0o700 });
      for (const name of old) renameSync(join(state, name), join(aside, name));
      // The log comes last: until it is there, there is no store.
      for (const name of parts.toReversed())
        if (existsSync(draftOf(name))) renameSync(draftOf(name), join(state, name));
    } finally {
      lock?.close();
      for (const name of parts) rmSync(draftOf(name), { recursive: true, force: true });
    }
    return old.length > 0 ? aside : null;
  });
}

/** Throws SYSTEM.STORE.* where what is copied is at fault; any other error is of the place it goes to. */
function copyOne(from: string, to: string): void {
  let db: DatabaseSync | undefined;
  let isRead = false;
  try {
    db = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
    db.prepare("pragma schema_version").get();
    isRead = true;
    db.prepare("vacuum into ?").run(to);
  } catch (error) {
    const said = codeOfSqlite(error);
    const code = said === "SYSTEM.STORE.DAMAGED" || said === "SYSTEM.STORE.BUSY" ? said : "SYSTEM.STORE.UNUSABLE";
    if (isRead && code === "SYSTEM.STORE.UNUSABLE") throw error;
    // SQLite also writes beside what it reads.
    const next =
      said === "SYSTEM.STORE.UNUSABLE" ? `; it and its folder have to be yours to write: ${dirname(from)}` : "";
    throw new TroupeError(code, `${from} cannot be copied: ${(error as Error).message}${next}`, { file: from }, error);
  } finally {
    db?.close();
  }
}

function refuseUnsound(file: string, isLog: boolean): void {
  const fault = (code: "SYSTEM.STORE.DAMAGED" | "SYSTEM.STORE.NEWER", why: string, cause?: unknown): TroupeError =>
    new TroupeError(code, `${file} is not put back: ${why}`, { file }, cause);
  let db: DatabaseSync | undefined;
  // A pipe would be waited for, for ever.
  if (!statSync(file).isFile()) throw fault("SYSTEM.STORE.DAMAGED", "it is no regular file");
  try {
    db = new DatabaseSync(file, { readOnly: true });
    const said = String(db.prepare("pragma quick_check(1)").get()?.["quick_check"]);
    if (said !== "ok") throw fault("SYSTEM.STORE.DAMAGED", said);
    const version = Number(db.prepare("pragma user_version").get()?.["user_version"]);
    if (isLog && version === 0) throw fault("SYSTEM.STORE.DAMAGED", "it holds no store");
    if (isLog && version > SCHEMA_VERSION) throw fault("SYSTEM.STORE.NEWER", "a newer Troupe wrote it");
  } catch (error) {
    throw error instanceof TroupeError ? error : fault("SYSTEM.STORE.DAMAGED", (error as Error).message, error);
  } finally {
    db?.close();
  }
}

/** A connection beside which no other process has one; null where the file is damaged, and cannot be locked. */
function lockedAlone(file: string): DatabaseSync | null {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec("pragma locking_mode=exclusive; begin exclusive; commit; pragma wal_checkpoint(truncate)");
    return db;
  } catch (error) {
    db.close();
    if (codeOfSqlite(error) === "SYSTEM.STORE.DAMAGED") return null;
    if (!isBusy(error)) throw error;
    const message = `a process has the store ${file} open: end editors, servers and runs that use it, then try again`;
    throw new TroupeError("SYSTEM.STORE.BUSY", message, { file }, error);
  }
}

/** What is made meanwhile is this user's alone. */
export function privately<T>(act: () => T): T {
  const mask = process.umask(0o077);
  try {
    return act();
  } finally {
    process.umask(mask);
  }
}
