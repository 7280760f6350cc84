/**
 * A file of SQLite beside the log's, for what only some sessions need.
 *
 * I1. What was written is there after a crash of this process.
 * I2. Only this user may read it.
 * I3. It is opened for each use, and nothing is left open.
 * I4. Who reads needs no write lock. The event loop stands still for a short while at most while another process has the
 *     file: then it throws what `isBusy` knows, and who can wait tries again.
 */
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Who writes is tried again; a reader may not be, and meets only a process that opens the file or leaves it last. */
const WRITE_TIMEOUT_MS = 20;
const READ_TIMEOUT_MS = 150;
const VERSION = 1;

/** `schema`: statements that make the tables. */
export function writeBeside<T>(file: string, schema: string, use: (db: DatabaseSync) => T): T {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600)); // what SQLite puts beside it gets the same mode
  }
  return using(file, WRITE_TIMEOUT_MS, (db) => {
    if (!isMade(db)) make(db, schema);
    db.exec("pragma synchronous=normal");
    return use(db);
  });
}

/** Undefined where nothing was ever written. */
export function readBeside<T>(file: string, use: (db: DatabaseSync) => T): T | undefined {
  if (!existsSync(file)) return undefined;
  return using(file, READ_TIMEOUT_MS, (db) => (isMade(db) ? use(db) : undefined));
}

function using<T>(file: string, timeout: number, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { timeout });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const isMade = (db: DatabaseSync): boolean => db.prepare("pragma user_version").get()?.["user_version"] === VERSION;

function make(db: DatabaseSync, schema: string): void {
  db.exec("pragma journal_mode=wal; begin immediate");
  if (!isMade(db)) db.exec(`${schema}; pragma user_version=${VERSION}`);
  db.exec("commit");
}
