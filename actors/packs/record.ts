/**
 * What is known of an installed pack: a file of ours in the pack's folder.
 *
 * I1. A folder without it was made by hand: it is listed, and never replaced or removed by us.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
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

/** Whether a file of the folder was changed, added or removed. */
export async function digestOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const sums = await Promise.all(
    names
      .filter((path) => path !== join(folder, RECORD))
      .sort()
      .map(async (path) => `${sha256(await readFile(path))} ${path.slice(folder.length)}`),
  );
  return sha256(Buffer.from(sums.join("\n")));
}
