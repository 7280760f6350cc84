/** Worktrees that steps have left, as a person sees to them. */
import type { RunState } from "./records.ts";

/**
 * `id`: its run and its step. `changed`: files that are not as they were when it was made; `uncommitted`: those of them
 * that are in no commit. `suspect`: files by which git can be made to run programs, and that are not as they were: then
 * nothing of git was asked about the tree. `status`: its run's; null where the run is not known.
 */
export type Worktree = {
  id: string;
  run: string;
  step: string;
  path: string;
  branch: string;
  onto: string | null;
  checkout: string;
  changed: string[];
  uncommitted: string[];
  commits: number;
  suspect: string[];
  status: RunState | null;
};
/** What a person is asked first: to let git run what the tree's configuration names, or to merge these files. */
export type WorktreeQuestion =
  | { about: "configuration"; files: string[]; tree: Worktree }
  | { about: "merge"; files: string[]; tree: Worktree };
/** Asked before anything is done; false leaves everything as it is. */
export type Agree = (question: WorktreeQuestion) => Promise<boolean>;
/** How a worktree is merged, and who is asked. */
export type MergeRequest = { merge: "squash" | "merge" | "rebase"; agree: Agree };
/** `branch`: with its branch, also where that has commits that no other has. */
export type RemoveRequest = { branch: boolean; agree: Agree };
/** `branch`: what is kept of it; null where that has gone too. */
export type RemovedWorktree = { tree: Worktree; branch: string | null };

/** The worktrees of one repository. Where there is none, each of them throws USER.WORKTREE.NO_REPOSITORY. */
export interface Worktrees {
  /** All that stand beside the repository's checkouts. */
  list(): Promise<Worktree[]>;
  /** By its id or the beginning of it, or by its branch. Throws USER.WORKTREE.NOT_FOUND and USER.WORKTREE.AMBIGUOUS. */
  find(name: string): Promise<Worktree>;
  /**
   * Merges it into the branch that was checked out when it was made, and takes it away. Throws USER.WORKTREE.IN_USE, and
   * EXECUTION.WORKTREE.NOT_MERGED with why; then nothing has been done.
   */
  merge(name: string, request: MergeRequest): Promise<Worktree>;
  /** Takes it away. Throws USER.WORKTREE.IN_USE, and USER.WORKTREE.CHANGED where something in it is in no commit, or on no branch. */
  remove(name: string, request: RemoveRequest): Promise<RemovedWorktree>;
}
