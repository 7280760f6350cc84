/**
 * What is known of an installed pack: a file of ours in the pack's folder.
 *
 * I1. A folder without it was made by hand: it is listed, and never replaced or removed by us.
 */
import type { Dirent } from "node:fs";
import { readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "./checksum.ts";

export const RECORD = ".troupe-pack.json";

const recorded = z.object({
  /** Where it came from, as `troupe pack install` takes it. */
  source: z.string(),
  /** The index that named it, or null. */
  index: z.string().nullable(),
  /** Of all its files with their names, when it was installed. */
  digest: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type PackSource = z.infer<typeof recorded>;

/** Null: there is none, or it cannot be read. */
export async function readRecord(folder: string): Promise<PackSource | null> {
  const text = await readFile(join(folder, RECORD), "utf8").catch(() => "null");
  try {
    return recorded.nullable().parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export const writeRecord = (folder: string, record: PackSource): Promise<void> =>
  writeFile(join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o644 });

/** Whether a file of the folder was changed, added or removed. A pack holds files alone: all else is named, and not opened. */
export async function digestOf(folder: string): Promise<string> {
  const sums = await Promise.all(
    (await entriesBelow(folder))
      .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
      .filter(({ path }) => path !== join(folder, RECORD))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(async ({ entry, path }) => `${await sumOf(entry, path)} ${path.slice(folder.length)}`),
  );
  return sha256(Buffer.from(sums.join("\n")));
}

/** All that is no folder. Node's own way (`recursive`) follows links to folders in some versions. */
async function entriesBelow(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = entries.map(async (entry) =>
    entry.isDirectory() ? await entriesBelow(join(folder, entry.name)) : [entry],
  );
  return (await Promise.all(below)).flat();
}

async function sumOf(entry: Dirent, path: string): Promise<string> {
  try {
    if (entry.isFile()) return sha256(await readFile(path));
    return entry.isSymbolicLink() ? `link to ${await readlink(path)}` : "no file";
  } catch {
    return "unreadable";
  }
}
