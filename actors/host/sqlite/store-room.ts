/**
 * The room that a store takes on its disk, and that the disk has left. Nothing is opened, and nothing is written.
 *
 * I1. What was kept of earlier stores is its user's to remove: it is named, never taken away.
 */
import { closeSync, lstatSync, openSync, readdirSync, readSync, statfsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ATTACHMENTS_FILE } from "./attachments.ts";
import { CONVERSATIONS_FILE } from "./conversations.ts";
import { SCHEMA_VERSION } from "./schema.ts";

/** What a copy of an older form (`keep-older.ts`), and a store that was replaced (`copies.ts`), are called. */
const OLDER = /^\.v\d+(?:\.[0-9a-f]+(?:-journal)?)?$/;
const REPLACED = /^replaced-/;

/** Where SQLite keeps `user_version` in a file. */
const AT_FORM = 60;

/**
 * In bytes. `wal`: the log that is not brought in yet. `total`: all files of the store, with it, what lies beside and
 * `older`. `free`: what the disk has left for this user.
 */
export type StoreRoom = { wal: number; total: number; older: { path: string; bytes: number }[]; free: number };

/** Throws what the system says of a folder that is not there. */
export function storeRoom(file: string): StoreRoom {
  const folder = dirname(file);
  const older: StoreRoom["older"] = [];
  let total = 0;
  for (const name of readdirSync(folder)) {
    const of = [basename(file), ATTACHMENTS_FILE, CONVERSATIONS_FILE].find((one) => name.startsWith(one));
    const isOlder = REPLACED.test(name) || (of !== undefined && OLDER.test(name.slice(of.length)));
    if (of === undefined && !isOlder) continue;
    const path = join(folder, name);
    const bytes = bytesOf(path);
    total += bytes;
    if (isOlder) older.push({ path, bytes });
  }
  return { wal: bytesOf(`${file}-wal`), total, older, free: freeOn(folder) };
}

/** Of a file, or of all files in a folder; 0 where it is gone. */
export function bytesOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

export function freeOn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether the next process that opens the store has to bring it to our form first. */
export function isOfOlderForm(file: string): boolean {
  const form = formInHead(file);
  return form > 0 && form < SCHEMA_VERSION;
}

/** As it stands in the head of the file; 0 where there is none. */
function formInHead(file: string): number {
  try {
    const head = Buffer.alloc(AT_FORM + 4);
    const opened = openSync(file, "r");
    try {
      return readSync(opened, head, 0, head.length, 0) === head.length ? head.readUInt32BE(AT_FORM) : 0;
    } finally {
      closeSync(opened);
    }
  } catch {
    return 0;
  }
}
