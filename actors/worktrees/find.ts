/**
 * A tree that an earlier step has left, found by its branch.
 *
 * I1. It is one of this repository, made by Troupe, and stands where git says that the branch is checked out.
 */
import type { StepTree } from "../../machines/worktree/progress.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { type Outside, placeOf } from "./checkout.ts";
import type { Git } from "./git.ts";
import { adminOf } from "./make.ts";
import { treesFolder } from "./places.ts";
import { recordsIn, type TreeRecord } from "./records.ts";

/** `said`: what the author wrote, for the message. `folder`: that of all trees; by default the one beside the repository. */
export type Sought = { branch: string; said: string; folder: string | null };
export type FoundTree = Required<Pick<StepTree, "plan" | "made" | "filled" | "ready">>;

/** Rejects with EXECUTION.WORKTREE.NOT_FOUND. `git` stands in the repository, or in a tree of it. */
export async function findTree(git: Git, { branch, said, folder }: Sought): Promise<FoundTree> {
  const all = await treesOf(git, folder);
  const found = all.find((each) => each.branch === branch) ?? all.find((each) => each.record.plan.branch === branch);
  const made = found?.record.made;
  if (branch !== "" && found !== undefined && made) return { plan: found.record.plan, made, filled: true, ready: true };
  const known = all.map((each) => each.branch);
  const message = `there is no worktree "${said}" here: the name of a step that has left one, or its branch expected`;
  throw new TroupeError("EXECUTION.WORKTREE.NOT_FOUND", `${message}; known: ${known.join(", ") || "none"}`);
}

/** `branch`: what is checked out there now. */
export type LiveTree = { record: TreeRecord; branch: string };

/** The trees of this repository that stand, with their records. */
export async function treesOf(git: Git, folder: string | null, outside?: Outside): Promise<LiveTree[]> {
  const { common, repository } = await placeOf(git, outside);
  const branches = branchesOf(await git.list(["worktree", "list", "--porcelain", "-z"]));
  const live: LiveTree[] = [];
  for (const record of await recordsIn(folder ?? treesFolder(repository))) {
    const branch = branches.get(record.plan.path);
    if (record.plan.common !== common || branch === undefined || !branches.has(record.plan.checkout)) continue;
    const admin = await adminOf(record.plan);
    if (record.made !== null && admin !== record.made.admin) continue;
    live.push({ record, branch: branch === "" ? record.plan.branch : branch });
  }
  return live;
}

/** What is checked out where, as git lists it; empty for none. */
function branchesOf(lines: readonly string[]): Map<string, string> {
  const branches = new Map<string, string>();
  let path = "";
  for (const line of lines) {
    if (line.startsWith("worktree ")) {
      path = line.slice("worktree ".length);
      branches.set(path, "");
    } else if (line.startsWith("branch refs/heads/")) branches.set(path, line.slice("branch refs/heads/".length));
  }
  return branches;
}
