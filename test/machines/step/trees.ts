/** A step with a tree of its own, at the place where a test wants it. */
import { COMPLETED } from "../../../machines/model.ts";
import type { StepTree } from "../../../machines/worktree/progress.ts";
import type { Isolation, TreePlan, TreeWeighed } from "../../../machines/worktree/tree.ts";

export const PLAN: TreePlan = {
  ...{ run: "r", step: "build", path: "/t/build", cwd: "/t/build", branch: "troupe/r/build", ref: "refs/x", base: "b" },
  ...{ head: "h", onto: "refs/heads/main", checkout: "/repo", common: "/repo/.git", seals: {} },
};
export const MADE = { plan: PLAN, made: { admin: "/a", portBase: 1 }, filled: true, ready: true } as const;
export const MERGEABLE: TreeWeighed = { is: "mergeable", tip: "t", result: "r", files: ["a.ts"] };
export const LEFT = { branch: "troupe/r/build", head: "h2", changed: ["a.ts"], commits: ["c"], unfinished: null };
export const MANY = ["1", "2", "3", "4", "5", "6", "7"];
export const ISOLATION: Isolation = { from: "", setup: null, merge: "merge", approve: true };
export const ORIGIN = { session: "s", run: "r", step: "build", parallel: false };

export type Given = {
  at?: { step: string; item: string };
  tree?: StepTree;
  isolation?: Partial<Isolation> | null;
  outcome?: object;
  allows?: boolean;
  node?: object;
};
/** A step whose work has ended so. */
export const step = ({ at, tree, isolation = {}, outcome = COMPLETED, allows = false, node = {} }: Given = {}) =>
  ({
    birth: {
      origin: { ...ORIGIN, ...(at === undefined ? {} : { step: at.step }) },
      ...(at === undefined ? {} : { round: { item: at.item, of: 2 } }),
      scope: allows ? { chosen: { merges: "allow" } } : {},
      node: {
        ...{ name: "build", type: "command" },
        ...(isolation === null ? {} : { isolation: { ...ISOLATION, ...isolation } }),
        ...node,
      },
    },
    ...(tree === undefined ? {} : { tree }),
    judgement: {
      outcome,
      states: { build: { Output: "o", ExitCode: 0, Status: "completed" }, other: { Output: "p" } },
    },
  }) as never;
