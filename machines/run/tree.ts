/** A tree for a whole run, seen as that of a step: what its run asks, shows and hands on of it. */
import type { PermissionInput, TreeInput } from "../contracts.ts";
import type { Row } from "../exchange.ts";
import * as trees from "../step/tree.ts";
import { verdict } from "../step/verdicts.ts";
import type { CallNode } from "../workflow/document.ts";
import {
  NO_TREE,
  type StepTree,
  type TreeDeed,
  type TreeNews,
  type TreeNext,
  withAnswer,
  withNews,
} from "../worktree/progress.ts";
import { placedIn } from "../worktree/seen.ts";
import { WHOLE_RUN } from "../worktree/tree.ts";
import { originOf } from "./rows.ts";
import { NOWHERE, outcomeOf, type RunBirth, type RunContext, scopeOf } from "./walk.ts";

/** The run as one step, whose work is all of it. */
function wholeOf({ birth, position, tree }: RunContext) {
  const { workflow, self, parent, at } = birth;
  const node: CallNode = {
    ...{ type: "call_workflow", name: workflow.name, workflow: workflow.name, inputs: {}, outputs: {} },
    ...{ transitions: [], onSuccess: null, onFailure: null, continueOnError: false, timeoutMs: null, retry: null },
    ...{ recover: null, approval: null, hooks: { pre: [], post: [] }, dependsOn: [] },
    ...(workflow.isolation === undefined ? {} : { isolation: workflow.isolation }),
  };
  const origin = originOf(birth, WHOLE_RUN);
  const scope = scopeOf(birth, position, "all");
  const judgement = verdict(outcomeOf(position));
  const whole = { birth: { self, parent, at, origin, node, nodes: {}, scope, keep: [] }, judgement };
  return tree === undefined ? whole : { ...whole, tree };
}

// Every run is asked for both, and most have no tree.
export const treeBefore = (context: RunContext): TreeDeed | null =>
  hasTree(context) ? trees.treeBefore(wholeOf(context)) : null;
export const treeAfter = (context: RunContext): TreeNext =>
  hasTree(context) ? trees.treeAfter(wholeOf(context)) : null;
const hasTree = ({ birth }: RunContext): boolean => birth.workflow.isolation !== undefined;
export const treeInput = (context: RunContext, when: "before" | "after"): TreeInput =>
  trees.treeInput(wholeOf(context), when);
export const treeQuestion = (context: RunContext): PermissionInput => ({
  ...trees.treeQuestion(wholeOf(context)),
  step: null,
});

/** Its rows are about no step. */
const ofRun = ({ step: _, ...row }: Row): Row => row as Row;
export const treeFaultRow = (context: RunContext, error: unknown): Row =>
  ofRun(trees.treeFaultRow(wholeOf(context), error));

/** With what a git step has told, and the rows of it. Where the tree is ready, the run goes on in it. */
export function afterGitStep(
  context: RunContext,
  output: unknown,
): { rows: Row[]; now: Pick<RunContext, "birth" | "tree" | "home"> } {
  const tree = withNews(context.tree ?? NO_TREE, output as TreeNews);
  const rows = trees.treeRows(wholeOf(context), context.tree, tree).map(ofRun);
  const isReady = context.tree?.ready === undefined && tree.ready === true;
  const { birth } = context;
  if (!isReady) return { rows, now: { birth, tree } };
  const home = { context: birth.context, ...(birth.tree === undefined ? {} : { tree: birth.tree }) };
  return { rows, now: { birth: placed(birth, tree), tree, home } };
}

function placed(birth: RunBirth, tree: StepTree): RunBirth {
  const { scope } = placedIn({ birth: { scope: scopeOf(birth, NOWHERE, []) }, tree });
  return { ...birth, context: scope.context, ...(scope.tree === undefined ? {} : { tree: scope.tree }) };
}

export const afterAnswer = ({ tree = NO_TREE }: RunContext, answer: unknown): StepTree =>
  withAnswer(tree, trees.chosenOption(answer));
