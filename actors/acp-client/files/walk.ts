/**
 * Into a folder below a root, one name after the other, so that no program that swaps a folder for a link meanwhile can lead
 * us elsewhere.
 *
 * I1. No name on the way may be a symbolic link: the places were resolved before.
 * I2. On Linux each name is looked up in the open folder above it, so what was checked is what is used. Elsewhere the
 *     folder is looked at again after it was opened.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { RootedPath } from "./roots.ts";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const isLinux = process.platform === "linux";

/** Calls `use` with a way to name what is in the folder; the names are good until it settles. */
export async function inFolder<T>(
  { root, below }: RootedPath,
  { create }: { create: boolean },
  use: (at: (name: string) => string) => Promise<T>,
): Promise<T> {
  let folder = await open(root, FOLDER);
  let path = root;
  try {
    for (const name of below) {
      const next = isLinux ? inside(folder, name) : join(path, name);
      if (create) await mkdir(next).catch(unlessThere);
      const deeper = await open(next, FOLDER);
      await folder.close();
      folder = deeper;
      path = join(path, name);
      if (!isLinux) await checkUnmoved(folder, path);
    }
    const [here, where] = [folder, path];
    return await use((name) => (isLinux ? inside(here, name) : join(where, name)));
  } finally {
    await folder.close();
  }
}

const inside = ({ fd }: FileHandle, name: string): string => `/proc/self/fd/${fd}/${name}`;

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

async function checkUnmoved(folder: FileHandle, path: string): Promise<void> {
  const [opened, there] = [await folder.stat(), await lstat(path)];
  const same = opened.dev === there.dev && opened.ino === there.ino && (await realpath(path)) === path;
  if (!same) throw new Error("the folder was moved while it was opened");
}
