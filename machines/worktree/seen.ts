/** A step's tree as others see it: its work, which runs there, and who reads its result. */
import type { StateResults, WorktreeResult } from "../model.ts";
import { own } from "../model.ts";
import type { Scope } from "../scope.ts";
import { isMerge, type StepNode } from "../workflow/document.ts";
import type { StepTree } from "./progress.ts";
import { shortBranch } from "./tree.ts";

/** The birth of a step as its work sees it: in its tree, where it has one. */
export function placedIn<B extends { scope: Scope }>({ birth, tree }: { birth: B; tree?: StepTree }): B {
  if (tree?.plan === undefined || tree.made === undefined) return birth;
  const { scope } = birth;
  const { path, cwd, common } = tree.plan;
  const { portBase } = tree.made;
  return {
    ...birth,
    scope: { ...scope, context: { ...scope.context, WorkingDir: cwd }, tree: { path, common, portBase } },
  };
}

/** The states that a step leaves, its own with its tree. Of one that has gone there is nothing left to name. */
export function withWorktree(states: StateResults, node: StepNode, tree: StepTree | undefined): StateResults {
  const { name } = node;
  const result = own(states, name);
  if (result === undefined || tree?.plan === undefined || tree.left === undefined) return states;
  const { left, plan, end, merged = false, weighed } = tree;
  const isGone = end !== undefined && end !== "kept";
  const Worktree: WorktreeResult = {
    branch: isGone ? "" : left.branch,
    path: isGone ? "" : plan.path,
    changed: left.changed,
    commits: left.commits,
    merged,
    conflicts: weighed === undefined || weighed.is === "mergeable" ? [] : weighed.files,
    onto: shortBranch(plan.onto),
    base: plan.base,
  };
  const told = isMerge(node) ? { Output: JSON.stringify(Worktree), Response: Worktree, Data: Worktree } : {};
  return { ...states, [name]: { ...result, ...told, Worktree } };
}
