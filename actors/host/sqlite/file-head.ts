/** What the head of the store's file says of it. SQLite is not asked: nothing is locked, and nothing made beside it. */
import { closeSync, openSync, readSync } from "node:fs";
import { laterVersion, SCHEMA_VERSION } from "./schema.ts";

const HEAD_BYTES = 100;
const MAGIC = "SQLite format 3\0";
const VERSION_AT = 60;

/** Throws what SQLite and this version would say of such a file. One that is not there, or empty, becomes a store. */
export function refuseHead(file: string): void {
  const head = Buffer.alloc(HEAD_BYTES);
  const bytes = readHead(file, head);
  if (bytes === 0) return;
  if (bytes < HEAD_BYTES || head.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw Object.assign(new Error("file is not a database"), { errcode: SQLITE_NOTADB });
  const version = head.readUInt32BE(VERSION_AT);
  if (version > SCHEMA_VERSION) throw new Error(laterVersion(version));
}
const SQLITE_NOTADB = 26;

function readHead(file: string, into: Buffer): number {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
  try {
    return readSync(descriptor, into);
  } finally {
    closeSync(descriptor);
  }
}
