/**
 * Files that all trees of a repository share, and by which git can be made to run programs: they are compared before a
 * tree that an agent has worked in is touched.
 */
import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Seals, TreePlan } from "../../machines/worktree/tree.ts";
import type { Git } from "./git.ts";

const CONFIG = "config";
const FILES = ["commondir", "config.worktree", "info/attributes", "info/grafts", "objects/info/alternates"];
const FOLDERS = ["hooks"];
/** Of a tree's own directory: where it says that everything else is. */
const OF_TREE = ["commondir", "gitdir", "config.worktree"];
const MOST = 500;

/** Settings that agents make every day and that run nothing. */
const HARMLESS = /^(branch\..*\.(remote|merge|rebase)|user\.(name|email))\n/;

/** What stands in them now. */
export async function sealsOf(git: Git, common: string): Promise<Seals> {
  const files = FILES.map((name) => join(common, name));
  for (const folder of FOLDERS) files.push(...(await filesBelow(join(common, folder))));
  // Read as it stands: no other file is included.
  const settings = await git.list(["config", "--file", join(common, CONFIG), "--no-includes", "--list", "-z"]);
  const running = settings.filter((entry) => !HARMLESS.test(entry)).join("\0");
  const config = createHash("sha256").update(running).digest("hex");
  return { ...(await sealed(common, files.slice(0, MOST))), [CONFIG]: config };
}

/** The same of the directory that git keeps for a tree. */
export const sealsOfTree = (common: string, admin: string): Promise<Seals> =>
  sealed(
    common,
    OF_TREE.map((name) => join(admin, name)),
  );

/** The files that are not as they were. */
export function brokenSeals(before: Seals, now: Seals): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).toSorted();
}

/** Those of a tree's repository, and of the directory that git keeps for it. */
export async function sealsNow(git: Git, common: string, admin: string): Promise<Seals> {
  return { ...(await sealsOf(git, common)), ...(await sealsOfTree(common, admin)) };
}

/** The files that are not as they were when the tree was made. */
export const brokenSealsOf = async (git: Git, { common, seals }: TreePlan, admin: string): Promise<string[]> =>
  brokenSeals(seals, await sealsNow(git, common, admin));

/** Those of a tree that has gone with its directory are no word against it: it was taken away, and cut off in that. */
export const withoutTree = (names: readonly string[], common: string, admin: string): string[] =>
  names.filter((name) => !OF_TREE.some((of) => name === relative(common, join(admin, of))));

async function sealed(common: string, files: readonly string[]): Promise<Seals> {
  const seals: Seals = {};
  for (const file of files) {
    const digest = await digestOf(file);
    if (digest !== null) seals[relative(common, file)] = digest;
  }
  return seals;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.map((entry) => join(folder, entry.name)).toSorted();
}

async function digestOf(file: string): Promise<string | null> {
  const stat = await lstat(file).catch(() => null);
  if (stat === null) return null;
  const content = stat.isSymbolicLink()
    ? await readlink(file)
    : stat.isFile()
      ? await readFile(file).catch(() => "unreadable")
      : "folder";
  return `${stat.mode.toString(8)} ${createHash("sha256").update(content).digest("hex")}`;
}
