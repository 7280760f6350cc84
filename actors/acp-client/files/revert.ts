/**
 * Takes back an edit of a file. H46.
 *
 * I1. A file is replaced or removed only while it is as the edit left it. Once anything has changed it, it stays.
 * I2. The same places and files are refused as for writing: `write.ts`.
 */
import { constants } from "node:fs";
import { lstat, open, readFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import { checkPath, failed, nearest, outside, type Roots } from "./roots.ts";
import { inFolder } from "./walk.ts";
import { writeTextFile } from "./write.ts";

/** `before`: null is a file that the edit has made. */
export type Revertible = { path: string; before: string | null; after: string };
export type Reverted = "reverted" | "changed";

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Throws where the file may not be written at all. */
export async function revertFile(roots: Roots, { path, before, after }: Revertible): Promise<Reverted> {
  if (before === null) return await removeMade(roots, path, after);
  let isSame = false;
  const review = async ({ oldText }: { oldText: string | null }): Promise<boolean> => {
    isSame = oldText === after;
    return isSame;
  };
  try {
    await writeTextFile(roots, { path, content: before }, review, new AbortController().signal);
    return "reverted";
  } catch (error) {
    if (isSame) throw error;
    return "changed";
  }
}

async function removeMade(roots: Roots, path: string, after: string): Promise<Reverted> {
  checkPath(path);
  const { real, missing } = await nearest(path);
  if (missing.length > 0) return "changed";
  const place = roots.place(real);
  if (place === null) throw outside(path);
  return await inFolder(place, { create: false }, async (at) => {
    const file = at(basename(path));
    const stat = await lstat(file).catch(() => null);
    if (stat === null || !stat.isFile()) return "changed";
    if (stat.nlink > 1) throw failed(path, "the file has another name elsewhere (a hard link)");
    const opened = await open(file, READ);
    try {
      if (!(await readFile(opened)).equals(Buffer.from(after))) return "changed";
    } finally {
      await opened.close();
    }
    await rm(file);
    return "reverted";
  });
}
