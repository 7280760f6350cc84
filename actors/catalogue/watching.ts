/**
 * Reports that the workflow files of a directory may have changed: woken by the file system, never by a timer.
 *
 * I1. Of a place that is not there yet, the folder above it is watched, up to the directory that it belongs to.
 * I2. Many changes at once are reported once, GATHER_MS after the first one.
 * I3. What cannot be watched is not: who listens looks again at moments of its own.
 */
import { existsSync, type FSWatcher, readdirSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type CatalogueOptions, searchPaths } from "./search-paths.ts";

export const GATHER_MS = 100;
/** Folders that are watched for one directory at most. */
const MOST_FOLDERS = 64;

/** Calls `changed` until the answer is called. It keeps no process alive. */
export function watchWorkflows(cwd: string, options: CatalogueOptions, changed: () => void): () => void {
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | null = null;
  let ended = false;
  const disarm = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const arm = (): void => {
    for (const [folder, names] of [...foldersOf(cwd, options)].slice(0, MOST_FOLDERS)) {
      try {
        const hear = (_: string, name: string | null): void => {
          if (name === null || names === null || names.has(name)) wake();
        };
        watchers.push(watch(folder, { persistent: false }, hear).on("error", () => undefined));
      } catch {
        // I3
      }
    }
  };
  const wake = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      if (ended) return;
      disarm(); // what was missing may be there now
      arm();
      changed();
    }, GATHER_MS).unref();
  };
  arm();
  return () => {
    ended = true;
    if (timer !== null) clearTimeout(timer);
    disarm();
  };
}

/** The folders to watch, each with the names that matter in it; null: all. */
function foldersOf(cwd: string, options: CatalogueOptions): Map<string, Set<string> | null> {
  const folders = new Map<string, Set<string> | null>();
  for (const { folder, holds } of searchPaths(cwd, options)) {
    if (!existsSync(folder)) {
      waitFor(folder, folders);
      continue;
    }
    folders.set(folder, null);
    if (holds === "packs") for (const pack of packsIn(folder)) folders.set(pack, null);
  }
  return folders;
}

/** The nearest folder above that is there, and the name that is to come in it; two levels up at most (I1). */
function waitFor(folder: string, folders: Map<string, Set<string> | null>): void {
  let missing = folder;
  for (let level = 0; level < 2; level++, missing = dirname(missing)) {
    const above = dirname(missing);
    if (!existsSync(above)) continue;
    const names = folders.get(above);
    if (names !== null) folders.set(above, (names ?? new Set<string>()).add(basename(missing)));
    return;
  }
}

function packsIn(folder: string): string[] {
  try {
    const packs = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return packs.flatMap(({ name }) => [join(folder, name), join(folder, name, "workflows")].filter(existsSync));
  } catch {
    return [];
  }
}
