/**
 * What a step has left in its tree, put into commits.
 *
 * I1. Git is told where its directory is: what the tree says of that may have been changed by who worked in it.
 * I2. A tree in the midst of a merge, or with a repository within (staged or not), is left as it is: git would look into
 *     that by its own configuration, which may name programs.
 * I3. Looked at alone, the tree and its branch stay as they are: what is in no commit is put into one that nothing names.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { TreeCollected, TreePlan } from "../../machines/worktree/tree.ts";
import { leftoverOf } from "../../machines/worktree/words.ts";
import { type Git, ourselves } from "./git.ts";
import { repositoriesIn } from "./repositories.ts";
import { copyIndex } from "./snapshot.ts";

/** `at`: seconds since the epoch, for the commit of what was not committed: the same content is the same commit. */
export async function collectTree(git: Git, plan: TreePlan, admin: string, at: string): Promise<TreeCollected> {
  return collected(git.at(plan.path, { gitDir: admin }), plan, at, {});
}

/** What `collectTree` would come to (I3). */
export async function lookAtTree(git: Git, plan: TreePlan, admin: string, at: string): Promise<TreeCollected> {
  const scratch = `${plan.path}.index`;
  try {
    await copyIndex(join(admin, "index"), scratch);
    return await collected(git.at(plan.path, { gitDir: admin }), plan, at, { GIT_INDEX_FILE: scratch });
  } finally {
    await rm(scratch, { force: true });
    await rm(`${scratch}.lock`, { force: true });
  }
}

/** `aside`: names an index of ours, where the tree's own and its branch are not to change. */
async function collected(
  tree: Git,
  plan: TreePlan,
  at: string,
  aside: { GIT_INDEX_FILE?: string },
): Promise<TreeCollected> {
  const env = { ...aside };
  let head = await tree.line(["rev-parse", "--verify", "HEAD^{commit}"]);
  const named = (await tree.run(["symbolic-ref", "-q", "--short", "HEAD"], { codes: [1] })).stdout.toString().trim();
  const unfinished = await unfinishedOf(tree);
  if (unfinished === null) {
    await tree.run(["add", "-A"], { env });
    const content = await tree.line(["write-tree"], { env });
    if (content !== (await tree.line(["rev-parse", `${head}^{tree}`]))) {
      const message = leftoverOf(plan);
      const next = await tree.line(["commit-tree", content, "-p", head, "-m", message], { env: ourselves(at) });
      if (aside.GIT_INDEX_FILE === undefined)
        await tree.run(["update-ref", "-m", "troupe: collect", "HEAD", next, head]);
      head = next;
    }
  }
  const isOnwards = await tree.run(["merge-base", "--is-ancestor", plan.base, head], { codes: [1] });
  const changed = await tree.list(["diff-tree", "-r", "-z", "--name-only", "--no-renames", plan.base, head]);
  const commits = (await tree.run(["rev-list", "--reverse", `${plan.base}..${head}`])).stdout.toString();
  return {
    ...(named === "" ? { branch: plan.branch, isOffBranch: true as const } : { branch: named }),
    head,
    changed,
    commits: commits.split("\n").filter((line) => line !== ""),
    unfinished: unfinished ?? (isOnwards.code === 0 ? null : "its history no longer begins with what it was made of"),
  };
}

async function unfinishedOf(tree: Git): Promise<string | null> {
  const unmerged = await tree.list(["ls-files", "-u", "-z"]);
  if (unmerged.length > 0) return "it is in the midst of a merge with conflicts";
  const [repository] = await repositoriesIn(tree);
  if (repository !== undefined) return ofItsOwn(repository);
  const others = await tree.list(["ls-files", "-o", "-z", "--exclude-standard"]);
  const within = others.find((name) => name.endsWith("/"));
  return within === undefined ? null : ofItsOwn(within);
}
const ofItsOwn = (path: string): string => `${path} in it is a repository of its own`;
