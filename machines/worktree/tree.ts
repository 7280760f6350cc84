/**
 * A step's own worktree as data: what is recorded of it, one git step after another. Whoever asks for a step again gets
 * the same tree, since everything that names it was recorded before it was made.
 */

/** What stands in files of the repository by which git can be made to run programs, by the file's name. */
export type Seals = { [file: string]: string };

/** Where a tree is, and what it begins with. */
export type TreePlan = {
  run: string;
  step: string;
  /** The tree's own folder, absolute. */
  path: string;
  /** In it, the folder that stands for the one where the step would have run. */
  cwd: string;
  branch: string;
  /** The hidden reference that keeps the base. */
  ref: string;
  /** The commit that the tree begins with: HEAD, another one, or a snapshot of what was not committed. */
  base: string;
  /** HEAD of the checkout at that time. */
  head: string;
  /** The branch that was checked out there, as git names it in full; null for none. */
  onto: string | null;
  /** The user's checkout, absolute. */
  checkout: string;
  /** The directory that all trees of the repository share, absolute. */
  common: string;
  seals: Seals;
};
/** The tree as it was made: the directory that git keeps for it, and the first of its ports. */
export type TreeMade = { admin: string; portBase: number };
/**
 * What the step has left in its tree. `unfinished`: why that cannot be merged as it is. `isOffBranch`: no branch was
 * checked out there, and `branch` is the one that it was made with.
 */
export type TreeCollected = {
  branch: string;
  isOffBranch?: true;
  head: string;
  changed: string[];
  commits: string[];
  unfinished: string | null;
};
/** What a merge comes to: the commit that the checkout's branch is to name, or why it is not done. */
export type TreeWeighed =
  | { is: "mergeable"; tip: string; result: string; files: string[] }
  | { is: "conflicted"; files: string[] }
  | { is: "blocked"; why: string; files: string[] };

export const MERGES = ["keep", "squash", "merge", "rebase", "discard"] as const;
export type MergeKind = (typeof MERGES)[number];
/** How a merge writes history. */
export type MergeWay = Exclude<MergeKind, "keep" | "discard">;

/** What a workflow file says of a step's tree. `from`: a template of a commit, or one of the two words. */
export type Isolation = {
  from: string;
  /** No new tree, but one that an earlier step has left: that step's name, or its branch; a template. */
  of?: string;
  setup: string | null;
  merge: MergeKind;
  /** False: nobody is asked before the merge, where the user allows that. */
  approve: boolean;
  /** The state that the run goes on at where a merge has conflicts; nobody is asked then. */
  onConflict?: string;
};

/** In the place of a step's path, where the tree is a whole run's. */
export const WHOLE_RUN = "run.";
/** A branch as people call it. */
export const shortBranch = (ref: string | null): string => ref?.replace(/^refs\/heads\//, "") ?? "no branch";
