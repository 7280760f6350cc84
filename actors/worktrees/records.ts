/**
 * What is known of a tree, beside it, for who comes by another way than the run that has made it.
 *
 * I1. A record is written whole or not at all, and goes with its tree.
 * I2. One that is not about the tree it stands beside is none: who could write it could write the tree.
 */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { TreeMade, TreePlan } from "../../machines/worktree/tree.ts";

/** `made`: null where it was planned, and maybe made, but not recorded as made. */
export type TreeRecord = { plan: TreePlan; made: TreeMade | null };

const record = z.object({
  ...{ run: z.string(), step: z.string(), path: z.string(), cwd: z.string(), branch: z.string(), ref: z.string() },
  ...{ base: z.string(), head: z.string(), onto: z.string().nullable(), checkout: z.string(), common: z.string() },
  seals: z.record(z.string(), z.string()),
  made: z.object({ admin: z.string(), portBase: z.number() }).nullable().default(null),
});

/** The record of the tree in this folder. */
export const recordOf = (path: string): string => `${path}.json`;

export async function writeRecord({ plan, made }: TreeRecord): Promise<void> {
  const file = recordOf(plan.path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, `${JSON.stringify({ ...plan, made })}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Null where there is none that can be read (I2). */
export async function readRecord(path: string): Promise<TreeRecord | null> {
  const text = await readFile(recordOf(path), "utf8").catch(() => null);
  if (text === null) return null;
  const read = record.safeParse(parsed(text));
  if (!read.success || read.data.path !== path) return null;
  const { made, ...plan } = read.data;
  return { plan, made };
}

/** All of a folder of trees, by run and step. */
export async function recordsIn(folder: string): Promise<TreeRecord[]> {
  const records: TreeRecord[] = [];
  for (const run of (await readdir(folder).catch(() => [])).toSorted()) {
    const names = (await readdir(join(folder, run)).catch(() => [])).filter((name) => name.endsWith(".json"));
    for (const name of names.toSorted()) {
      const found = await readRecord(join(folder, run, name.slice(0, -".json".length)));
      if (found !== null) records.push(found);
    }
  }
  return records;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
