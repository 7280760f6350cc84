/**
 * Watches the files that globs name in a directory: woken by the file system, never by a timer.
 *
 * I1. Nothing outside of the directory is watched: links are not followed.
 * I2. `.git` and `node_modules` are never watched, nor a folder in which no glob can name anything.
 */
import type { Stats } from "node:fs";
import { relative, sep } from "node:path";
import { baseOf } from "../../machines/schedule/globs.ts";
import type { FileTrigger } from "../../machines/schedule/starts.ts";
import { fitsGlob } from "../base/globs.ts";
import { troupeError } from "../errors/troupe-error.ts";

export type Globs = Pick<FileTrigger, "paths" | "ignore">;
export type FileHeard = {
  /** A path within the directory, with strokes. */
  changed(path: string): void;
  /** What cannot be watched starts nothing: why. */
  failed(why: string): void;
};
/** Watches until the answer is called. Resolves when it does. */
export type WatchFiles = (cwd: string, globs: readonly Globs[], heard: FileHeard) => Promise<() => Promise<void>>;

const NEVER = new Set([".git", "node_modules"]);

export const watchFiles: WatchFiles = async (cwd, globs, { changed, failed }) => {
  const { watch } = await import("chokidar");
  const bases = globs.flatMap(({ paths }) => paths.map(baseOf));
  const ready = Promise.withResolvers<void>();
  const watcher = watch(cwd, {
    ignoreInitial: true,
    followSymlinks: false,
    persistent: false,
    ignored: (path: string, stats?: Stats) => isIgnored(within(cwd, path), stats, { globs, bases }),
  });
  watcher.on("all", (_, path) => {
    const file = within(cwd, path);
    if (globs.some((one) => names(one, file))) changed(file);
  });
  watcher.on("error", (error) => {
    failed(troupeError(error).message);
    ready.resolve();
  });
  watcher.once("ready", () => ready.resolve());
  await ready.promise;
  return () => watcher.close();
};

const within = (cwd: string, path: string): string => relative(cwd, path).split(sep).join("/");

/** Whether globs mean a file. */
export const names = ({ paths, ignore }: Globs, file: string): boolean =>
  !file.split("/").some((part) => NEVER.has(part)) &&
  paths.some((glob) => fitsGlob(file, plain(glob))) &&
  !ignore.some((glob) => fitsGlob(file, plain(glob)));
const plain = (glob: string): string => glob.replace(/^(\.\/)+/, "");

type Wanted = { globs: readonly Globs[]; bases: readonly string[] };
/** Without `stats` it is not known yet what it is. */
function isIgnored(path: string, stats: Stats | undefined, { globs, bases }: Wanted): boolean {
  if (path === "") return false;
  if (path.split("/").some((part) => NEVER.has(part))) return true;
  const leads = bases.some((base) => base === "" || isUnder(path, base) || isUnder(base, path));
  if (!leads) return true;
  return stats?.isFile() === true && !globs.some((one) => names(one, path));
}
const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
