/**
 * A step's own tree from its plan to its end, as a pure reducer: which git step is next, what is asked, and what is
 * recorded of it.
 *
 * I1. What is recorded is all that a next git step is asked with: one that was cut off is asked for again, and comes to
 *     the same.
 * I2. Nothing is merged or thrown away that a person was not asked about, but where the author wrote `approve: false` and
 *     the user allows that.
 * I3. A tree with changes ends by a merge or by a person's word, never by itself; one without goes.
 */
import type { Fault, Outcome } from "../model.ts";
import type { Isolation, Seals, TreeCollected, TreeMade, TreePlan, TreeWeighed } from "./tree.ts";

/** What is done outside, each in one effect. */
export type TreeDeed = "find" | "plan" | "add" | "fill" | "set up" | "collect" | "weigh" | "apply" | "clear";
/** How it ended: as it was left, in the checkout's branch, thrown away, or without a change. */
export type TreeEnd = "kept" | "merged" | "discarded" | "unchanged";
export type StepTree = {
  plan?: TreePlan;
  made?: TreeMade;
  filled?: true;
  ready?: true;
  /** Files by which git can be made to run programs and that are not as they were, and what stands in them now. */
  suspect?: { files: string[]; seals: Seals };
  left?: TreeCollected;
  weighed?: TreeWeighed;
  agreed?: true;
  merged?: true;
  end?: TreeEnd;
  /** Why nothing more is done with it. */
  fault?: Fault;
};
/** What a git step has found or made, to be kept. */
export type TreeNews = Pick<
  StepTree,
  "plan" | "made" | "filled" | "ready" | "suspect" | "left" | "weighed" | "merged" | "end"
>;
export const NO_TREE: StepTree = {};

/** The next git step before the work begins; null where the tree is ready. */
export function deedBefore({ plan, made, filled, ready }: StepTree, { of }: Isolation): TreeDeed | null {
  if (plan === undefined) return of === undefined ? "plan" : "find";
  if (made === undefined) return "add";
  if (filled === undefined) return "fill";
  return ready === undefined ? "set up" : null;
}

/** What a person is asked of a tree. */
export type TreeQuestion =
  | { about: "seals"; files: string[] }
  | { about: "merge"; files: string[] }
  | { about: "discard"; files: string[] }
  | { about: "block"; why: string; files: string[] };
export type TreeNext = { do: TreeDeed } | { ask: TreeQuestion } | null;
/** `allowed`: the user lets merges be done without being asked. */
type Judged = { isolation: Isolation; outcome: Outcome; allowed: boolean };

/** What comes after the work; null where nothing does any more. */
export function nextAfter(tree: StepTree, { isolation, outcome, allowed }: Judged): TreeNext {
  const { plan, made, left, suspect, weighed, end, fault } = tree;
  if (plan === undefined || end !== undefined || fault !== undefined) return null;
  if (made === undefined) return { do: "clear" };
  if (suspect !== undefined) return { ask: { about: "seals", files: suspect.files } };
  if (left === undefined) return { do: "collect" };
  if (isUnchanged(left) || tree.merged === true) return { do: "clear" };
  if (outcome.status !== "completed") return null;
  const isAgreed = tree.agreed === true || (allowed && !isolation.approve);
  switch (isolation.merge) {
    case "keep":
      return null;
    case "discard":
      return isAgreed ? { do: "clear" } : { ask: { about: "discard", files: left.changed } };
    case "squash":
    case "merge":
    case "rebase":
      if (weighed === undefined) return { do: "weigh" };
      switch (weighed.is) {
        case "mergeable":
          return isAgreed ? { do: "apply" } : { ask: { about: "merge", files: weighed.files } };
        case "conflicted":
          if (isolation.onConflict !== undefined) return null;
          return { ask: { about: "block", why: whyBlocked(weighed), files: weighed.files } };
        case "blocked":
          return { ask: { about: "block", why: whyBlocked(weighed), files: weighed.files } };
        default:
          return weighed satisfies never;
      }
    default:
      return isolation.merge satisfies never;
  }
}

/** Why a merge is not done, in words. */
export const whyBlocked = (weighed: Exclude<TreeWeighed, { is: "mergeable" }>): string =>
  weighed.is === "blocked" ? weighed.why : "conflicts with what is committed there";

/** The state that its conflicts lead to, where the author has named one. */
export function afterConflict({ weighed, end, fault }: StepTree, { onConflict }: Isolation): string | null {
  const stopped = weighed?.is === "conflicted" && end === undefined && fault === undefined;
  return stopped ? (onConflict ?? null) : null;
}

export const isUnchanged = ({ changed, commits, unfinished }: TreeCollected): boolean =>
  changed.length === 0 && commits.length === 0 && unfinished === null;

/** With what a git step has told. */
export const withNews = (tree: StepTree, news: TreeNews): StepTree => ({ ...tree, ...news });

/** What the options of the questions are called. */
export const YES = "yes";
export const AGAIN = "again";
export const KEEP = "keep";

/** With a person's answer; no answer is a no. */
export function withAnswer(tree: StepTree, option: string | null): StepTree {
  if (tree.suspect !== undefined) {
    const { suspect, ...rest } = tree;
    if (option !== YES || tree.plan === undefined) return { ...tree, end: "kept" };
    return { ...rest, plan: { ...tree.plan, seals: suspect.seals } };
  }
  if (option === AGAIN) {
    const { weighed: _, ...rest } = tree;
    return rest;
  }
  return option === YES ? { ...tree, agreed: true } : { ...tree, end: "kept" };
}
