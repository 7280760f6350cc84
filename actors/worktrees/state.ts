/** How a tree stands, without changing anything of it. */
import type { TreePlan } from "../../machines/worktree/tree.ts";
import type { Git } from "./git.ts";

export type TreeState = { changed: string[]; uncommitted: string[]; commits: number };

export async function treeState(git: Git, { path, base }: TreePlan, admin: string): Promise<TreeState> {
  const tree = git.at(path, { gitDir: admin });
  const status = await tree.list(["status", "--porcelain=v1", "-z", "-uall", "--no-renames"]);
  const uncommitted = status.map((entry) => entry.slice(3));
  const committed = await tree.list(["diff-tree", "-r", "-z", "--name-only", "--no-renames", base, "HEAD"]);
  const commits = Number(await tree.line(["rev-list", "--count", `${base}..HEAD`]));
  return { changed: [...new Set([...committed, ...uncommitted])].toSorted(), uncommitted, commits };
}
