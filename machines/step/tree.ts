/** What a step asks, shows and hands on of a tree of its own. */
import type { PermissionInput, PermissionSettled, StepInput, TreeInput } from "../contracts.ts";
import type { Row } from "../exchange.ts";
import { type Born, CANCELLED, own } from "../model.ts";
import { addressBelow, itemOf, NOWHERE, pathAbove, roundOf, textOf } from "../naming/address.ts";
import { isMerge } from "../workflow/document.ts";
import {
  AGAIN,
  afterConflict,
  deedBefore,
  isUnchanged,
  KEEP,
  NO_TREE,
  nextAfter,
  type StepTree,
  type TreeDeed,
  type TreeNext,
  type TreeQuestion,
  whyBlocked,
  YES,
} from "../worktree/progress.ts";
import { shortBranch, type TreeCollected, type TreePlan, WHOLE_RUN } from "../worktree/tree.ts";
import { exitFault, faultOf, type Judgement } from "./attempts.ts";

type Placed = { birth: Born & StepInput; tree?: StepTree };
type Judged = Placed & { judgement: Judgement };

/** The next git step before the work; null where the step has no tree of its own, or it is ready. */
export const treeBefore = ({ birth: { node }, tree = NO_TREE }: Placed): TreeDeed | null =>
  node.isolation === undefined ? null : deedBefore(tree, node.isolation);

/** What comes of the tree after the work. */
export function treeAfter({ birth: { node, scope }, tree, judgement }: Judged): TreeNext {
  if (node.isolation === undefined || tree === undefined) return null;
  const { outcome } = judgement;
  return nextAfter(tree, { isolation: node.isolation, outcome, allowed: scope.chosen?.merges === "allow" });
}

/** What the git step is asked with that is next. */
export function treeInput(context: Judged, when: "before" | "after"): TreeInput {
  const { birth, tree = NO_TREE } = context;
  const { isolation, name } = birth.node;
  const next = treeAfter(context);
  const deed = when === "before" ? treeBefore(context) : next !== null && "do" in next ? next.do : null;
  if (isolation === undefined || deed === null) throw new Error(`step "${name}" has no git step to do`);
  return { origin: birth.origin, name, isolation, scope: birth.scope, do: deed, tree };
}

const QUESTIONS = {
  seals: (plan: TreePlan) => ({
    title: "Go on with a changed configuration of git?",
    message: `Files of ${plan.common} were changed while the step worked in its tree. By them git can be made to run programs. Nothing has been done with the tree yet.`,
    options: [yes("Go on as they are now"), keep("Leave the tree as it is")],
  }),
  merge: (plan: TreePlan, whose: string) => ({
    title: `Merge the work of ${whose} into ${shortBranch(plan.onto)}?`,
    message: `It stands in ${plan.path}. A merge changes these files in ${plan.checkout}.`,
    options: [yes("Merge it"), keep("Keep it on its branch")],
  }),
  discard: (plan: TreePlan, whose: string) => ({
    title: `Throw away what ${whose} has changed?`,
    message: `It stands in ${plan.path}. These changes are in no other place.`,
    options: [yes("Throw it away"), keep("Keep it on its branch")],
  }),
} as const;
const yes = (name: string) => ({ id: YES, name, kind: "allow_once" }) as const;
const keep = (name: string) => ({ id: KEEP, name, kind: "reject_once" }) as const;

/** Whose work it is. Of rounds, a step knows the item of its own; any other is named by its number. */
function whoseWork({ birth: { origin, round } }: Placed, { step }: TreePlan): string {
  if (step === WHOLE_RUN) return "this run";
  const isSameRound = pathAbove(step) === pathAbove(origin.step) && roundOf(step) === roundOf(origin.step);
  return textOf(addressBelow(NOWHERE, `/${step}`, isSameRound ? itemOf(round) : null));
}

/** Why a step that is there to merge has failed: its tree was not merged; null where it was, or is not yet. */
export function notMerged({ birth: { node }, tree = NO_TREE, judgement }: Judged): Judgement | null {
  if (!isMerge(node) || judgement.outcome.status !== "completed") return null;
  const { end, fault, weighed, left } = tree;
  if (end !== undefined && end !== "kept") return null;
  const stopped = weighed === undefined || weighed.is === "mergeable" ? null : whyBlocked(weighed);
  const why =
    fault?.message ?? (stopped === null ? "it was not agreed to" : `${stopped}${inFiles(weighed?.files ?? [])}`);
  const message = `${left?.branch ?? "the tree"} was not merged: ${why}`;
  const outcome = { status: "failed", exitCode: 1, error: { code: "EXECUTION.WORKTREE.NOT_MERGED", message } } as const;
  const { exitCode: ExitCode, status: Status } = outcome;
  return { ...judgement, outcome, states: { [node.name]: { Output: "", Stderr: message, ExitCode, Status } } };
}

/** Asked by the step's machine: it stays open over a crash, and is never remembered. */
export function treeQuestion(context: Judged): PermissionInput {
  const { origin } = context.birth;
  const plan = context.tree?.plan;
  const next = treeAfter(context);
  if (plan === undefined || next === null || "do" in next) throw new Error("there is no tree to ask about");
  const question: TreeQuestion = next.ask;
  const words =
    question.about === "block" ? blockWords(plan, question) : QUESTIONS[question.about](plan, whoseWork(context, plan));
  return {
    run: origin.run,
    step: origin.step,
    kind: "edit",
    ...words,
    options: [...words.options],
    input: { about: question.about, files: question.files, tree: plan.path },
    locations: question.files.slice(0, 50).map((file) => ({ path: `${plan.checkout}/${file}` })),
    timeoutMs: null,
  };
}

/** Where there never was a branch to merge into, to try again is of no use. */
function blockWords({ onto, path }: TreePlan, { why, files }: Extract<TreeQuestion, { about: "block" }>) {
  const message = `Nothing was changed. The work is in ${path}.`;
  const kept = keep("Keep it on its branch");
  if (onto === null) return { title: `Not merged: ${why}${inFiles(files)}`, message, options: [kept] };
  const again = { id: AGAIN, name: "Try again", kind: "allow_once" } as const;
  const title = `Not merged into ${shortBranch(onto)}: ${why}${inFiles(files)}. Try again?`;
  return { title, message, options: [again, kept] };
}

/** The option that was chosen; null where none was. */
export const chosenOption = (answer: unknown): string | null => {
  const settled = answer as PermissionSettled;
  return settled.outcome === "selected" ? settled.option : null;
};

/** A cancel while its tree is seen to: what the work has left stays, and the step is cancelled. */
export function cancelledWith({ birth: { node }, judgement }: Judged): Judgement {
  const result = own(judgement.states, node.name);
  const { exitCode: ExitCode, status: Status } = CANCELLED;
  const states =
    result === undefined ? judgement.states : { ...judgement.states, [node.name]: { ...result, ExitCode, Status } };
  return { ...judgement, outcome: CANCELLED, states };
}

/** What a reader of the log is told after a git step. */
export function treeRows(placed: Placed, before: StepTree | undefined, after: StepTree): Row[] {
  const { origin, node } = placed.birth;
  const told = (severity: "info" | "warning", message: string): Row[] => [
    { type: "notice", run: origin.run, step: origin.step, payload: { severity, message } },
  ];
  const { plan, left, weighed } = after;
  if (plan === undefined) return [];
  if (before?.ready === undefined && after.ready === true && !isMerge(node)) {
    const whose = node.isolation?.of === undefined ? "a tree of its own" : `the tree of ${whoseWork(placed, plan)}`;
    return told("info", `"${node.name}" works in ${whose}: ${plan.path}, on the branch ${plan.branch}`);
  }
  const onwards = node.isolation === undefined ? null : afterConflict(after, node.isolation);
  if (before?.weighed === undefined && weighed?.is === "conflicted" && onwards !== null) {
    const what = `the work of ${whoseWork(placed, plan)} ${whyBlocked(weighed)}${inFiles(weighed.files)}`;
    return told("warning", `${what}: it is not merged, and the run goes on at "${onwards}"`);
  }
  if (before?.merged === undefined && after.merged === true)
    return told(
      "info",
      `the work of "${node.isolation?.of === undefined ? node.name : whoseWork(placed, plan)}" was merged into ${shortBranch(plan.onto)}: ${filesText(left?.changed)}`,
    );
  if (before?.left === undefined && left !== undefined && !isUnchanged(left) && !isMerge(node))
    return told("info", `"${node.name}" has changed ${filesText(left.changed)} ${whereOf(left)}`);
  return [];
}

/** The row of a tree that could not be seen to. */
export const treeFaultRow = ({ birth: { origin, node } }: Placed, error: unknown): Row => {
  const { code, message } = error === null ? exitFault(1) : faultOf(error);
  const text = `the tree of "${node.name}" is left as it is: ${message}`;
  return { type: "notice", run: origin.run, step: origin.step, payload: { severity: "warning", code, message: text } };
};

/** What is behind no branch is named by its commit. */
const whereOf = ({ branch, head, isOffBranch }: TreeCollected): string =>
  isOffBranch === true
    ? `in the commit ${head.slice(0, SHORT)}, where no branch is checked out`
    : `on the branch ${branch}`;
const SHORT = 12;

const SHOWN = 5;
/** In a question there is room for a few. */
const inFiles = (files: readonly string[]): string => (files.length === 0 ? "" : ` (${filesText(files)})`);

function filesText(files: readonly string[] = []): string {
  const more = files.length - SHOWN;
  return `${files.slice(0, SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
