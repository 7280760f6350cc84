/**
 * The run machine's vocabulary: its types, the children it may start, its guards and actions. The chart is in
 * `run-machine.ts`.
 */
import {
  assign,
  type DoneActorEvent,
  type ErrorActorEvent,
  emit,
  enqueueActions,
  sendTo,
  setup,
  spawnChild,
} from "xstate";
import { everyChild, slot } from "../address.ts";
import type {
  Concluded,
  ConcludeInput,
  Control,
  HooksInput,
  HooksResult,
  PermissionInput,
  PermissionSettled,
  RunInput,
  RunSettled,
  StepInput,
  TreeInput,
} from "../contracts.ts";
import type { Row } from "../exchange.ts";
import type { Born, Outcome, Settled } from "../model.ts";
import { faultOf } from "../step/attempts.ts";
import { stepInput } from "../step/child-input.ts";
import { workflowReads } from "../workflow/reads.ts";
import type { TreeNews } from "../worktree/progress.ts";
import { endHooks, endRow, hooksAt, needsConcluding, originOf, rerunRow, startRow, warningRow } from "./rows.ts";
import * as trees from "./tree.ts";
import { atHome, endedAs, keptOf, type Move, messageOf, outcomeOf, type RunContext, scopeOf } from "./walk.ts";

export type RunEvent =
  | Control
  | DoneActorEvent<Settled | Concluded | HooksResult | TreeNews | PermissionSettled>
  | ErrorActorEvent;

export const runSetup = setup({
  types: {} as { context: RunContext; input: Born & RunInput; events: RunEvent; emitted: Row; output: RunSettled },
  actors: {
    step: slot<StepInput, Settled>(),
    conclude: slot<ConcludeInput, Concluded>(),
    hooks: slot<HooksInput, HooksResult>(),
    tree: slot<TreeInput, TreeNews>(),
    permission: slot<PermissionInput, PermissionSettled>(),
  },
  guards: {
    "needs a git step?": ({ context }) => trees.treeBefore(context) !== null,
    "has a git step left?": ({ context }) => trees.treeAfter(context) !== null,
    "asks about its tree?": ({ context }) => "ask" in (trees.treeAfter(context) ?? {}),
    "is over?": ({ context }) => context.position.where.at === "end",
    "has start hooks?": ({ context }) => context.birth.workflow.hooks.start.length > 0,
    "has end hooks?": ({ context }) => hooksAt(context).length > 0,
    "was cancelled?": ({ context }) => outcomeOf(context.position).status === "cancelled",
    "has words to render?": ({ context }) => needsConcluding(context),
    "was cut off?": (_, p: { error: unknown }) => faultOf(p.error).code === "INTERRUPTED",
    "went well?": (_, p: { output: unknown }) => (p.output as HooksResult).fault === null,
  },
  actions: {
    "record the start": enqueueActions(({ context, enqueue }) => {
      enqueue.emit(startRow(context.birth));
      for (const row of rerunRow(context.birth)) enqueue.emit(row);
    }),
    "record the end": emit(({ context }): Row => endRow(context)),
    "carry out": enqueueActions(({ context: { birth }, enqueue }, { position, start, warnings }: Move) => {
      enqueue.assign({ position });
      for (const message of warnings) enqueue.emit(warningRow(birth, message));
      if (start === null) return;
      const origin = originOf(birth, start.path);
      const { states } = birth.workflow;
      enqueue.spawnChild("step", {
        id: start.path,
        input: {
          ...stepInput({
            origin,
            name: start.name,
            nodes: states,
            scope: (reads) => scopeOf(birth, position, reads),
            keep: workflowReads(birth.workflow),
          }),
          ...(start.earlier === undefined ? {} : { earlier: start.earlier }),
        },
      });
    }),
    "keep what it left": assign(({ context }, p: { output: unknown }) => {
      const settled = p.output as Settled | HooksResult;
      return "states" in settled ? { position: keptOf(context.birth, context.position, settled) } : {};
    }),
    "note the outcome": assign(({ context }, p: { outcome: Outcome }) => ({
      position: endedAs(context.position, p.outcome),
    })),
    "note the words": assign((_, p: { output: unknown }) => p.output as Concluded),
    "start the start hooks": spawnChild("hooks", {
      id: "hooks",
      input: ({ context }) => ({
        origin: originOf(context.birth, ""),
        hooks: context.birth.workflow.hooks.start,
        scope: scopeOf(atHome(context), context.position, "all"),
        stopAtFailure: true,
      }),
    }),
    "start the end hooks": spawnChild("hooks", {
      id: "hooks",
      input: ({ context }) => endHooks(context),
    }),
    "start concluding": spawnChild("conclude", {
      id: "conclude",
      input: ({ context }) => ({
        origin: originOf(context.birth, ""),
        message: messageOf(context.position),
        outputs: outcomeOf(context.position).status === "completed" ? context.birth.workflow.outputs : {},
        scope: scopeOf(context.birth, context.position, "all"),
      }),
    }),
    "start the git step before": spawnChild("tree", {
      id: "tree",
      input: ({ context }) => trees.treeInput(context, "before"),
    }),
    "start the git step after": spawnChild("tree", {
      id: "tree",
      input: ({ context }) => trees.treeInput(context, "after"),
    }),
    "note the git step": enqueueActions(({ context, enqueue }, p: { output: unknown }) => {
      const { rows, now } = trees.afterGitStep(context, p.output);
      for (const row of rows) enqueue.emit(row);
      enqueue.assign(now);
    }),
    "leave the tree": enqueueActions(({ context, enqueue }, p: { error: unknown }) => {
      enqueue.emit(trees.treeFaultRow(context, p.error));
      enqueue.assign({ tree: { ...context.tree, fault: faultOf(p.error) } });
    }),
    "ask about the tree": spawnChild("permission", {
      id: "permission",
      input: ({ context }) => trees.treeQuestion(context),
    }),
    "note the answer": assign(({ context }, p: { answer: unknown }) => ({
      tree: trees.afterAnswer(context, p.answer),
    })),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
    "forward to what runs": sendTo(everyChild, ({ event }) => event),
  },
});
