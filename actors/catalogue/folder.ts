/**
 * Looks into one folder without leaving it.
 *
 * I1. What is a link is followed only as long as its real path stays in the folder (T23).
 * I2. Nothing is opened here: names and kinds only (T6).
 */
import { type Dirent, opendirSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute, sep } from "node:path";
import type { Budget } from "../base/budget.ts";
import { lstatAt, statAt } from "../base/stat-at.ts";
import { TroupeError } from "../errors/troupe-error.ts";

export type Item = { name: string /** As the user knows it. */; path: string /** Without links. */; real: string };
export type EntryKind = "file" | "folder";
export type Warn = (message: string) => void;

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}${sep}`);

/** The path without links, or null when there is nothing. */
export function realPath(path: string): string | null {
  try {
    // Most places are not there, and an error that is thrown costs more than a look.
    if (lstatAt(path) === undefined) return null;
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** The real path of `path` when it stays in `folder`; a warning and null when it leads out; null when it is not there. */
export function realPathInside(path: string, folder: string, warn: Warn): string | null {
  const real = realPath(path);
  const root = realPath(folder);
  if (real === null || root === null) return null;
  if (isInside(real, root)) return real;
  warn(`${path} is skipped: the link leads out of ${folder}`);
  return null;
}

function kindOf(entry: Dirent, real: string): EntryKind | null {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  if (!entry.isSymbolicLink()) return null;
  const stat = statAt(real);
  if (stat?.isFile()) return "file";
  return stat?.isDirectory() ? "folder" : null;
}

/** The names in a folder; a budget that ends in the middle of them is reported, and they are those that were met. */
function entriesOf(folder: string, budget: Budget): { entries: Dirent[]; fault: unknown } {
  const entries: Dirent[] = [];
  try {
    const opened = opendirSync(folder, { bufferSize: 512 });
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
        budget.entries(1);
        entries.push(entry);
      }
    } finally {
      opened.closeSync();
    }
    return { entries, fault: null };
  } catch (fault) {
    return { entries, fault };
  }
}

const ODD: { readonly [kind in EntryKind | "other"]: string } = {
  file: "it is a file",
  folder: "it is a folder",
  other: "it is no ordinary file",
};

const UNREAD = " cannot be read: ";
const DENIED = "you may not list what is in it; look at its owner and its rights";
const CLOSED: { readonly [code: string]: string } = { EACCES: DENIED, EPERM: DENIED };

/** The folder of which a warning says that it could not be read; null for every other warning. */
export function unreadFolder(warning: string): string | null {
  const [folder = ""] = warning.split(UNREAD, 1);
  return folder !== warning && isAbsolute(folder) ? folder : null;
}

/** What is looked at, and what hears of it. */
export type Looking = {
  warn: Warn;
  /** Hears when a link was met, or a folder cannot be read: then what is found may change though no folder does. */
  linked: () => void;
  /** Hears of what is not of the kind that is asked for, and why; of nothing where it is absent. */
  odd?: (entry: { name: string; path: string }, why: string) => void;
  budget: Budget;
};

/**
 * The items of one kind, sorted by name; nothing for a folder that is not there.
 * `inside`: the folder that this one may not lead out of, or null.
 */
export function itemsOf(
  folder: string,
  kind: EntryKind,
  inside: string | null,
  { warn, linked, odd, budget }: Looking,
): Item[] {
  const root = inside === null ? realPath(folder) : realPathInside(folder, inside, warn);
  if (root !== folder && lookedAt(folder) !== undefined) linked();
  if (root === null) return [];
  const { entries, fault } = entriesOf(root, budget);
  if (fault !== null) {
    linked();
    const code = (fault as NodeJS.ErrnoException).code;
    if (fault instanceof TroupeError) warn(`${folder} is shown in part: ${fault.message}`);
    else if (code !== "ENOTDIR") warn(`${folder}${UNREAD}${CLOSED[code ?? ""] ?? code ?? String(fault)}`);
  }
  const items: Item[] = [];
  for (const entry of entries) {
    if (entry.isSymbolicLink()) linked();
    const path = `${folder}${sep}${entry.name}`;
    const inRoot = `${root}${sep}${entry.name}`;
    const { name } = entry;
    let isOut = false;
    const leadsOut = (): void => {
      isOut = true;
      warnLink(path, folder, warn);
    };
    const real = entry.isSymbolicLink() ? realPathInside(inRoot, root, leadsOut) : inRoot;
    const is = real === null ? null : kindOf(entry, real);
    if (real !== null && is === kind) items.push({ name, path, real });
    else if (!isOut) odd?.({ name, path }, real === null ? "the link leads nowhere" : ODD[is ?? "other"]);
  }
  return items.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What stands there itself, a link too. Throws SYSTEM.IO.PERMISSION_DENIED where a folder above it may not be entered. */
export function lookedAt(path: string): Stats | undefined {
  try {
    return lstatAt(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    const message = `workflows cannot be looked for in ${path}: ${dirname(path)} may not be entered; look at its owner and its rights`;
    throw new TroupeError("SYSTEM.IO.PERMISSION_DENIED", message, { file: path }, error);
  }
}

function warnLink(path: string, folder: string, warn: Warn): void {
  warn(`${JSON.stringify(path)} is skipped: the link leads out of ${folder}`);
}
