/**
 * The folder of the store, and what opening the store in it may come to.
 *
 * I1. The folder is the user's alone, and so is every file that SQLite makes in it. One that others may write to is not
 *     used: they could have put anything there.
 * I2. It lies on this machine, unless the user says that no other one uses it.
 * I3. Whatever goes wrong has a code and says what to do.
 */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../base/make-folder.ts";
import type { Environment } from "../../base/user-folders.ts";
import type { Code } from "../../errors/codes.ts";
import { codeOfSqlite } from "../../errors/system.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { SIGNAL_SUFFIX } from "./commit-signal.ts";
import { refuseHead } from "./file-head.ts";
import { networkFileSystem } from "./network-folder.ts";
import { OWNERS_FOLDER } from "./owner.ts";
import { SCHEMA_VERSION } from "./schema.ts";
import { refuseAbove, refuseDenied, type StorePlace } from "./store-rights.ts";

/** Set to 1: the store lies on a network file system, and no other machine uses it. */
export const NETWORK_VARIABLE = "TROUPE_NETWORK_STORE";
const FILES = ["", "-wal", "-shm", SIGNAL_SUFFIX];
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/** Opens what stands in the store's file. Throws SYSTEM.STORE.*, SYSTEM.IO.WRITE_FAILED. */
export function openStore<Opened>(
  file: string,
  environment: Environment,
  open: () => Opened,
  networkOf: (folder: string) => string | null = networkFileSystem,
): Opened {
  const mask = process.umask(0o077);
  try {
    const folder = dirname(file);
    makeFolder(folder);
    if (environment[NETWORK_VARIABLE] !== "1") refuseNetwork(folder, networkOf(folder));
    const files = FILES.map((suffix) => file + suffix);
    refuseShared([folder, ...files]);
    refuseOdd(files);
    refuseDenied({ file, environment }, [folder, join(folder, OWNERS_FOLDER)], files);
    return open();
  } catch (error) {
    throw error instanceof TroupeError ? error : faultOf(error, { file, environment });
  } finally {
    process.umask(mask);
  }
}

/** Why the store could not be opened now, as far as a look at its folder and files shows it; null where nothing does. */
export function closedStore(file: string, environment: Environment): TroupeError | null {
  const place = { file, environment };
  const folder = dirname(file);
  const files = FILES.map((suffix) => file + suffix);
  try {
    refuseAbove(place, folder);
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() === false) throw new Error(`${folder} is no folder`);
    refuseShared([folder, ...files]);
    refuseOdd(files);
    refuseDenied(place, [folder, join(folder, OWNERS_FOLDER)], files);
    refuseHead(file);
    return null;
  } catch (error) {
    return error instanceof TroupeError ? error : faultOf(error, place);
  }
}

function refuseNetwork(folder: string, name: string | null): void {
  if (name === null) return;
  throw new TroupeError(
    "SYSTEM.STORE.NETWORK",
    `the store's folder ${folder} lies on a network file system (${name}): other machines do not see its locks. Set TROUPE_HOME to a folder of this machine, or ${NETWORK_VARIABLE}=1 where no other machine uses it`,
    { folder, fileSystem: name },
  );
}

function refuseShared(paths: readonly string[]): void {
  if (process.getuid === undefined) return;
  const own = process.getuid();
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    // A group of the user's own number is the user's alone.
    const writes = found.gid === own ? OTHERS_WRITE : OTHERS_WRITE | GROUP_WRITES;
    if ((found.mode & writes) === 0) continue;
    throw new TroupeError(
      "SYSTEM.STORE.SHARED",
      `others may write to ${path}, where the store keeps what runs: look who did, then chmod go-w ${path}`,
      { file: path },
    );
  }
}

/** SQLite would wait at a pipe, or take the fault of a device for a full disk. */
function refuseOdd(files: readonly string[]): void {
  const odd = files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === false);
  if (odd !== undefined) throw new Error(`${odd} is not an ordinary file`);
}

const ADVICE: { [code in Code]?: string } = {
  "SYSTEM.STORE.UNUSABLE": "Set TROUPE_HOME to a folder that can be written.",
  "SYSTEM.STORE.NEWER": "Use that version, or set TROUPE_HOME to another folder.",
  "SYSTEM.STORE.BUSY":
    "Another process keeps it to itself, as one does that brings it up to date: try again in a moment, or end that one.",
  "SYSTEM.STORE.DAMAGED": "Move it away with its -wal file, or put a copy of yours back. Nothing was changed.",
  "SYSTEM.IO.WRITE_FAILED": "Make room on its disk and in the folder for temporary files. Nothing was changed.",
};

function faultOf(error: unknown, place: StorePlace): TroupeError {
  const { file } = place;
  if (isDenied(error)) refuseAbove(place, dirname(file));
  const message = error instanceof Error ? error.message : String(error);
  const code = message.includes("later version")
    ? "SYSTEM.STORE.NEWER"
    : (codeOfSqlite(error) ?? "SYSTEM.STORE.UNUSABLE");
  const advice = `${ADVICE[code] ?? ""}${code === "SYSTEM.STORE.NEWER" ? asItWas(file) : ""}`;
  return new TroupeError(code, `cannot use the store ${file}: ${message}. ${advice}`, { file }, error);
}

/** Where a newer version has kept the store as this one left it. */
function asItWas(file: string): string {
  const kept = `${file}.v${SCHEMA_VERSION}`;
  return existsSync(kept) ? ` As this version left it the store is kept in ${kept}.` : "";
}

const isDenied = (error: unknown): boolean =>
  ["EACCES", "EPERM", "EROFS"].includes(String((error as NodeJS.ErrnoException | null)?.code));
