/**
 * Ignored files that a tree gets a copy of: those that the checkout's `.worktreeinclude` names, in the syntax of
 * `.gitignore`.
 *
 * I1. No link is followed, neither where a file is read nor where its copy goes; a link is copied as a link where it
 *     stays within the tree, and left out where it does not.
 * I2. Nothing that is in the tree is written over.
 */
import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readlink, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import type { TreePlan } from "../../machines/worktree/tree.ts";
import type { Git } from "./git.ts";

export const INCLUDE_FILE = ".worktreeinclude";

/** The names of those that were left out since they lead out of the tree. */
export async function includeFiles(git: Git, plan: TreePlan, signal: AbortSignal): Promise<string[]> {
  const file = join(plan.checkout, INCLUDE_FILE);
  if ((await lstat(file).catch(() => null))?.isFile() !== true) return [];
  const checkout = git.at(plan.checkout);
  const named = await checkout.list(["ls-files", "-o", "-i", "-z", `--exclude-from=${file}`]);
  const ignored = new Set(await checkout.list(["ls-files", "-o", "-i", "-z", "--exclude-standard"]));
  const left: string[] = [];
  for (const name of named.filter((each) => ignored.has(each))) {
    signal.throwIfAborted();
    if (!(await copied(plan, name))) left.push(name);
  }
  return left;
}

async function copied({ checkout, path }: TreePlan, name: string): Promise<boolean> {
  if (name.endsWith("/")) return false; // a repository within
  const from = join(checkout, name);
  const to = join(path, name);
  if (!(await isPlainBelow(checkout, name)) || !(await plainFolder(path, dirname(name)))) return false;
  if ((await lstat(to).catch(() => null)) !== null) return true; // I2
  const stat = await lstat(from).catch(() => null);
  if (stat === null) return true;
  if (stat.isSymbolicLink()) {
    const target = await readlink(from);
    if (isAbsolute(target) || leadsOut(join(dirname(name), target))) return false;
    await symlink(target, to);
  } else if (stat.isFile()) await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  else return false;
  return true;
}

const leadsOut = (name: string): boolean => normalize(name).split(sep)[0] === "..";

/** No folder on the way to it is a link. */
async function isPlainBelow(root: string, name: string): Promise<boolean> {
  let at = root;
  for (const part of dirname(name).split("/")) {
    at = join(at, part);
    if ((await lstat(at).catch(() => null))?.isDirectory() !== true) return false;
  }
  return true;
}

/** Makes the folder, one after another; false where something else stands in its way. */
async function plainFolder(root: string, folder: string): Promise<boolean> {
  let at = root;
  for (const part of folder.split("/")) {
    at = join(at, part);
    const stat = await lstat(at).catch(() => null);
    if (stat === null) await mkdir(at);
    else if (!stat.isDirectory()) return false;
  }
  return true;
}
