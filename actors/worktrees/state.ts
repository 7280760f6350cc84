/** How a tree stands, without changing anything of it. */
import type { TreePlan } from "../../machines/worktree/tree.ts";
import type { Git } from "./git.ts";
import { NOT_INTO_REPOSITORIES, repositoriesIn } from "./repositories.ts";

export type TreeState = { changed: string[]; uncommitted: string[]; commits: number };

export async function treeState(git: Git, { path, base }: TreePlan, admin: string): Promise<TreeState> {
  const tree = git.at(path, { gitDir: admin });
  const status = await tree.list(["status", "--porcelain=v1", "-z", "-uall", "--no-renames", NOT_INTO_REPOSITORIES]);
  // What a repository within holds is in no commit of this one.
  const within = await repositoriesIn(tree);
  const uncommitted = [...new Set([...status.map((entry) => entry.slice(3)), ...within])];
  const committed = await tree.list(["diff-tree", "-r", "-z", "--name-only", "--no-renames", base, "HEAD"]);
  const commits = Number(await tree.line(["rev-list", "--count", `${base}..HEAD`]));
  return { changed: [...new Set([...committed, ...uncommitted])].toSorted(), uncommitted, commits };
}
