/**
 * A file of SQLite beside the log's, for what only some sessions need.
 *
 * I1. What was written is there after a crash of this process.
 * I2. Only this user may read it.
 * I3. It is opened for each use, and nothing is left open.
 */
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

const BUSY_TIMEOUT_MS = 5_000;
const VERSION = 1;

/** `schema`: statements that make the tables where they are not there. */
export function usingBeside<T>(file: string, schema: string, use: (db: DatabaseSync) => T): T {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600)); // what SQLite puts beside it gets the same mode
  }
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec(`pragma journal_mode=wal; pragma synchronous=normal; ${schema}; pragma user_version=${VERSION}`);
    return use(db);
  } finally {
    db.close();
  }
}
