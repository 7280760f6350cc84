/** How a tree stands, without changing anything of it. */
import type { TreePlan } from "../../machines/worktree/tree.ts";
import type { Git } from "./git.ts";
import { refAt } from "./make.ts";
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

/** Whether a branch has what the tree stands on, and how many commits its own branch has. */
export type NamedCommits = { ofTree: boolean; ofBranch: number };

/** Who works in a tree may leave its branch, with commits behind or without. */
export async function namedCommits(git: Git, { path, base, branch }: TreePlan, admin: string): Promise<NamedCommits> {
  const tree = git.at(path, { gitDir: admin });
  const name = await tree.line(["for-each-ref", "--count=1", "--contains=HEAD", "--format=%(refname)", "refs/heads"]);
  const own = await refAt(tree, `refs/heads/${branch}`);
  const ofBranch = own === null ? 0 : Number(await tree.line(["rev-list", "--count", `${base}..${own}`]));
  return { ofTree: name !== "", ofBranch };
}
