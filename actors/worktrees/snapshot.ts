/**
 * The commit that a tree begins with. What the user has not committed is carried over in a commit of its own.
 *
 * I1. The user's index, files and references are read and not written: the snapshot is made in an index of ours.
 * I2. The same content is the same commit.
 */
import { copyFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Checkout } from "./checkout.ts";
import { type Git, ourselves } from "./git.ts";
import { makeRoom } from "./room.ts";

/** `from`: `dirty`, `head`, or the name of a commit. `scratch`: a file beside the tree that is not there yet. */
export async function baseOf(git: Git, checkout: Checkout, from: string, scratch: string): Promise<string> {
  switch (from) {
    case "dirty":
      return snapshotOf(git.at(checkout.top), checkout, scratch);
    case "head":
      return checkout.head;
    default: {
      const end = await git.run(["rev-parse", "--verify", "-q", "--end-of-options", `${from}^{commit}`], {
        codes: [1, 128],
      });
      const found = end.stdout.toString().trim();
      if (found !== "") return found;
      const message = `worktree.from: there is no commit "${from}" here: dirty, head, or the name of a commit expected`;
      throw new TroupeError("EXECUTION.WORKTREE.FAILED", message);
    }
  }
}

async function snapshotOf(git: Git, { gitDir, head }: Checkout, scratch: string): Promise<string> {
  await makeRoom(dirname(scratch));
  const env = { GIT_INDEX_FILE: scratch };
  try {
    await copyIndex(join(gitDir, "index"), scratch);
    await git.run(["add", "-A"], { env });
    const tree = await git.line(["write-tree"], { env });
    if (tree === (await git.line(["rev-parse", `${head}^{tree}`]))) return head;
    const at = await git.line(["show", "-s", "--format=%ct", head]);
    const message = "What was not committed when a worktree was made of it";
    return await git.line(["commit-tree", tree, "-p", head, "-m", message], { env: ourselves(at) });
  } finally {
    await rm(scratch, { force: true });
    await rm(`${scratch}.lock`, { force: true });
  }
}

/**
 * With the time of the index, or a little before: git looks again into files that were changed in the moment in which the
 * index was written, and a copy that seems newer would hide them.
 */
export async function copyIndex(index: string, scratch: string): Promise<void> {
  const written = await stat(index).catch(() => null);
  if (written === null) return;
  await copyFile(index, scratch);
  const seconds = Math.floor(written.mtimeMs / 1000);
  await utimes(scratch, seconds, seconds);
}
