/** A tree of its own as it is recorded, git step by git step: of a step, or of a whole run. */
import type { Isolation, TreeCollected, TreeMade, TreePlan, TreeWeighed } from "../../machines/worktree/tree.ts";

export const ISOLATION: Isolation = { from: "", setup: null, merge: "merge", approve: true };
export const planOf = (step: string): TreePlan => ({
  ...{
    run: "r1",
    step,
    path: "/t/tree",
    cwd: "/t/tree",
    branch: "troupe/r1/tree",
    ref: "refs/x",
    base: "b",
    head: "h",
  },
  ...{ onto: "refs/heads/main", checkout: "/repo", common: "/repo/.git", seals: {} },
});
export const MADE: TreeMade = { admin: "/a", portBase: 1 };
/** What is known of it when the work may begin, in the order in which git steps tell it. */
export const readyOf = (step: string) => ({ plan: planOf(step), made: MADE, filled: true, ready: true }) as const;
/** What the work has left in it. */
export const LEFT: TreeCollected = {
  ...{ branch: "troupe/r1/tree", head: "h2", changed: ["a.ts"], commits: ["c"], unfinished: null },
};
export const MERGEABLE: TreeWeighed = { is: "mergeable", tip: "t", result: "r", files: ["a.ts"] };
