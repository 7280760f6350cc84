/**
 * Room for a collection where the disk has none left: to take something out of the store writes to its log first.
 *
 * I1. Only what is made again by itself is removed: what the program and workflow files were compiled to, where it lies on
 *     the disk of the store. Nothing that a person has, or has to decide on, is touched.
 * I2. Where that is not enough, it is said how much room is, and what of the user's own could go.
 */
import { rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Environment, userFolders } from "../../base/user-folders.ts";
import { TroupeError, troupeError } from "../../errors/troupe-error.ts";
import { bytesOf, isOfOlderForm, storeRoom } from "../../host/sqlite/store-room.ts";
import { storeFileOf } from "../store-file.ts";

const MADE_AGAIN = ["compile", "parsed"];
/** With so much left, it is not for want of room that something cannot be written. */
const PLENTY = 64 * 1024 ** 2;
/** For what a commit adds to the log, beside bringing in what is there. */
const A_COMMIT = 1024 ** 2;
/** Of its own size, at most: measured. */
const AS_OFTEN = 3;

/** Whether a collection failed for want of room. */
export function lacksRoom(error: unknown, environment: Environment): boolean {
  if (troupeError(error).code !== "SYSTEM.IO.WRITE_FAILED") return false;
  try {
    return storeRoom(storeFileOf(environment)).free < PLENTY;
  } catch {
    return false;
  }
}

/** Answers how many bytes were removed. */
export function makeRoom(environment: Environment): number {
  const { cache } = userFolders(environment);
  const folders = MADE_AGAIN.map((name) => join(cache, name));
  return folders.reduce((sum, folder) => {
    if (!isOnOneDisk(folder, dirname(storeFileOf(environment)))) return sum;
    try {
      const bytes = bytesOf(folder);
      rmSync(folder, { recursive: true, force: true });
      return sum + bytes;
    } catch {
      return sum; // another user's, or in use: what is said then counts the room that is there
    }
  }, 0);
}

const isOnOneDisk = (a: string, b: string): boolean => {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false })?.dev);
  return one !== undefined && one === other;
};

/** What is said then (I2). `sizeOf`: how large the store's file is with all that its log holds; throws where it cannot be opened. */
export function noRoom(error: unknown, environment: Environment, sizeOf: () => number): TroupeError {
  const file = storeFileOf(environment);
  const { wal, older, free } = storeRoom(file);
  const needs = (growth(file, sizeOf, wal) ?? wal + ofNewForm(file)) + A_COMMIT;
  const could = older.map(({ path, bytes }) => `${path} (${megabytes(bytes)})`).join(", ");
  const message = `the disk of ${file} has ${megabytes(free)} left, and removing takes room first: see that ${megabytes(needs)} are free, then do this again${could === "" ? "" : `. What earlier stores have left is yours to remove: ${could}`}`;
  return new TroupeError("SYSTEM.IO.WRITE_FAILED", message, { file, free, needs }, error);
}

/** Upwards: of so much it is said that it is enough. */
const megabytes = (bytes: number): string => `${(Math.ceil((bytes / 1024 ** 2) * 10) / 10).toFixed(1)} MB`;

/** Null where it cannot be opened. */
function growth(file: string, sizeOf: () => number, most: number): number | null {
  try {
    return Math.min(most, Math.max(0, sizeOf() - bytesOf(file)));
  } catch {
    return null;
  }
}

/**
 * What it takes to bring an older store to this form: its copy, the log of the change, and what the file grows by. Not
 * asked of a store that this process has open, and that has its form: who closes a file loses SQLite's locks on it, and
 * another process could take the store away.
 */
const ofNewForm = (file: string): number => (isOfOlderForm(file) ? AS_OFTEN * bytesOf(file) : 0);
