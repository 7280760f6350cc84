/** The step machine's vocabulary: types, children it may start, guards and actions. Its chart: `step-machine.ts`. */
import { assign, cancel, emit, enqueueActions, raise, sendTo, setup, spawnChild } from "xstate";
import { everyChild, LIMIT, NEVER } from "../address.ts";
import { isDone } from "../ask/form.ts";
import { budgetedIn } from "../budget/budget.ts";
import type { PermissionSettled, Prepared, StepInput, WorkAnswered } from "../contracts.ts";
import type { Row } from "../exchange.ts";
import type { Born, Outcome, Settled } from "../model.ts";
import { identifierOf } from "../naming/identifier.ts";
import { isMerge } from "../workflow/document.ts";
import { NO_TREE, type TreeNews, withAnswer, withNews } from "../worktree/progress.ts";
import { placedIn } from "../worktree/seen.ts";
import {
  afterCrash,
  backoffMs,
  container,
  faultOf,
  isContainer,
  judged,
  mayRetry,
  needsPreparing,
  prepareInput,
  workInput,
} from "./attempts.ts";
import { callEndRow, callStartRow } from "./calls.ts";
import { CANCEL_LIMIT_MS, MOST_ASKS, type StepContext, type StepEvent } from "./context.ts";
import { afterAnswer, type FormPrepared, nextQuestion } from "./form.ts";
import { type GuidanceNews, guiding, isToldMore, mayBeTold, type ToTell, unheard, wordsTaken } from "./guidance.ts";
import * as asked from "./questions.ts";
import { mayBeRepaired, repaired, repairRow, UNREPAIRED } from "./repair.ts";
import { endRow, passedOverRow, rerunRow, retryRow, startRow } from "./rows.ts";
import { stepActors } from "./slots.ts";
import * as trees from "./tree.ts";
import { afterDenial, atLimit, faulty, forWant, UNJUDGED, verdict, withLeft, withOwnResult } from "./verdicts.ts";

export const stepSetup = setup({
  types: {} as { context: StepContext; input: Born & StepInput; events: StepEvent; emitted: Row; output: Settled },
  actors: stepActors,
  delays: {
    backoff: ({ context }) => backoffMs(context),
    // The steps below a container have limits of their own, and each writes its last row.
    cancelLimit: ({ context }) => (isContainer(context.birth.node) ? NEVER : CANCEL_LIMIT_MS),
  },
  guards: {
    "needs a git step?": ({ context }) => trees.treeBefore(context) !== null,
    "has a git step left?": ({ context }) => trees.treeAfter(context) !== null,
    "asks about its tree?": ({ context }) => "ask" in (trees.treeAfter(context) ?? {}),
    "only merges?": ({ context }) => isMerge(context.birth.node),
    "has not merged?": ({ context }) => trees.notMerged(context) !== null,
    "must prepare?": ({ context }) => needsPreparing(context.birth.node),
    "is a container?": ({ context }) => context.birth.node.type === "parallel",
    "is a form?": (_, p: { prepared: unknown }) => (p.prepared as Prepared).type === "form",
    "has all answers?": ({ context }) => context.form !== undefined && isDone(context.form),
    "lacks something?": ({ context }) => asked.lacking(context) !== null,
    "needs approval?": ({ context }) => context.birth.node.approval !== null,
    "is approved?": (_, p: { answer: unknown }) => asked.isAllowed(p.answer),
    "has hooks before?": ({ context }) => context.birth.node.hooks.pre.length > 0,
    "has hooks after?": ({ context }) =>
      context.birth.node.hooks.post.length > 0 && context.judgement.outcome.status !== "cancelled",
    "may be told?": ({ context }) => mayBeTold(context),
    "was told more?": ({ context }) => isToldMore(context),
    "goes on talking?": ({ context: { birth, judgement } }) =>
      birth.node.type === "agent" && birth.node.mode === "conversation" && judgement.outcome.status === "completed",
    "says something?": (_, p: { answer: unknown }) => asked.wordsOf(p.answer) !== null,
    "may be repaired?": ({ context }) => mayBeRepaired(context),
    "may try again?": ({ context }) => mayRetry(context),
    "asks too much?": ({ context }) => context.asks.length >= MOST_ASKS,
    "has no open question?": ({ context }) => context.asks.length === 0,
    "was cut off?": (_, p: { error: unknown }) => faultOf(p.error).code === "INTERRUPTED",
    "resumes as?": ({ context }, p: { asked: string; is: string }) => afterCrash(context.birth.node, p.asked) === p.is,
    "answers?": (_, p: { answer: unknown; is: string }) => trees.chosenOption(p.answer) === p.is,
  },
  actions: {
    "record the start": emit(({ context }) => startRow(context.birth)),
    "record the retry": emit(({ context }) => retryRow(context)),
    "record the rerun": emit(({ context }) => rerunRow(context)),
    "record the repair": emit(({ context }) => repairRow(context)),
    "note the repair": assign(({ context }) => ({
      repair: repaired(context),
      ...guiding(context, { type: "repaired" }),
    })),
    "forget the repairs": assign({ repair: UNREPAIRED }),
    "record the end": emit(({ context }) => endRow(context)),
    "count the attempt": assign({ attempt: ({ context }) => context.attempt + 1, judgement: UNJUDGED }),
    "count it as free": assign({ free: ({ context }) => context.free + 1 }),
    "note the conversation": assign((_, p: { conversation: string }) => p),
    "note the result": assign(({ context }, p: { output: unknown }) => ({
      judgement: judged(context.birth.node, p.output),
    })),
    "note the outcome": assign((_, p: { outcome: Outcome }) => ({ judgement: verdict(p.outcome) })),
    "note the time limit": assign(({ context }) => ({ judgement: atLimit(context.birth.node) })),
    "keep what it left": assign(({ context }, p: { output: unknown }) => ({
      judgement: withLeft(context.birth.node, context.judgement, p.output),
    })),
    "note the fault": assign((_, p: { error: unknown }) => ({ judgement: faulty(p.error) })),
    "note the denial": assign(({ context }) => ({ judgement: afterDenial(context) })),
    "note what is lacking": enqueueActions(({ context, enqueue }) => {
      const fault = asked.lacking(context);
      if (context.birth.passedOver === true && fault !== null) enqueue.emit(passedOverRow(context.birth, fault));
      enqueue.assign({ judgement: forWant(context) });
    }),
    "note the words": assign(({ context }, p: { answer: unknown }) => ({
      said: asked.wordsOf(p.answer),
      ...guiding(context, { type: "answered" }),
    })),
    "take in words": enqueueActions(({ context, enqueue }, p: ToTell) => {
      const { row, told } = wordsTaken(context, p);
      enqueue.emit(row);
      enqueue.assign(guiding(context, { type: "given", words: p.words }));
      if (told !== null) enqueue.sendTo("work", told);
    }),
    "note of its words": assign(({ context }, p: GuidanceNews) => guiding(context, p)),
    "record what was not heard": enqueueActions(({ context, enqueue }) => {
      for (const row of unheard(context)) enqueue.emit(row);
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
      const tree = withNews(context.tree ?? NO_TREE, p.output as TreeNews);
      for (const row of trees.treeRows(context, context.tree, tree)) enqueue.emit(row);
      enqueue.assign({ tree });
    }),
    "leave the tree": enqueueActions(({ context, enqueue }, p: { error: unknown }) => {
      enqueue.emit(trees.treeFaultRow(context, p.error));
      enqueue.assign({ tree: { ...context.tree, fault: faultOf(p.error) } });
    }),
    "ask about the tree": enqueueActions(({ context, enqueue }) => {
      enqueue.spawnChild("permission", { id: "permission", input: trees.treeQuestion(context) });
    }),
    "note the answer": assign(({ context }, p: { answer: unknown }) => ({
      tree: withAnswer(context.tree ?? NO_TREE, trees.chosenOption(p.answer)),
    })),
    "note that it is not merged": assign(({ context }) => ({
      judgement: trees.notMerged(context) ?? context.judgement,
    })),
    "note the cancel": assign(({ context }) => ({ judgement: trees.cancelledWith(context) })),
    "start preparing": spawnChild("prepare", {
      id: "prepare",
      input: ({ context }) => prepareInput({ birth: placedIn(context) }, "begin"),
    }),
    "render the approval": spawnChild("prepare", {
      id: "prepare",
      input: ({ context }) => prepareInput(context, "approve"),
    }),
    "ask for approval": enqueueActions(({ context, enqueue }, p: { prepared: unknown }) => {
      const question = asked.approvalQuestion(context, p.prepared as asked.ApprovalPrepared);
      enqueue.spawnChild("permission", { id: "permission", input: question });
    }),
    "start the hooks before": spawnChild("hooks", {
      id: "hooks",
      input: ({ context }) => asked.hooksInput(context, context.birth.node.hooks.pre),
    }),
    "start the hooks after": spawnChild("hooks", {
      id: "hooks",
      input: ({ context }) => asked.hooksInput(withOwnResult(context), context.birth.node.hooks.post),
    }),
    "note the form": assign((_, p: { prepared: unknown }) => ({ form: (p.prepared as FormPrepared).form })),
    "note the answer to it": assign(({ context }, p: { answer: unknown }) => afterAnswer(context, p.answer)),
    "ask the next": spawnChild("input", { id: "input", input: ({ context }) => nextQuestion(context) }),
    listen: spawnChild("input", { id: "input", input: ({ context }) => asked.nextWords(context) }),
    "start the work": spawnChild("work", {
      id: "work",
      input: ({ context }) => workInput({ ...context, birth: placedIn(context) }),
    }),
    "put the question": enqueueActions(({ context, enqueue }, p: asked.WorkAsked) => {
      enqueue.assign({ asks: [...context.asks, p.ask] });
      enqueue.spawnChild("permission", { id: asked.askId(p.ask), input: asked.workQuestion(context, p.question) });
    }),
    "take the question back": enqueueActions(({ context, enqueue }, p: { ask: string }) => {
      if (context.asks.includes(p.ask)) enqueue.sendTo(asked.askId(p.ask), { type: "cancel.requested" });
    }),
    "take all questions back": enqueueActions(({ context, enqueue }) => {
      for (const ask of context.asks) enqueue.sendTo(asked.askId(ask), { type: "cancel.requested" });
    }),
    "forget the question": assign(({ context }, p: { child: string }) => ({
      asks: context.asks.filter((ask) => asked.askId(ask) !== p.child),
    })),
    "pass on the answer": sendTo(
      "work",
      (_, p: { child: string; answer: unknown }): WorkAnswered => ({
        type: "work.answered",
        ask: asked.askOf(p.child),
        settled: p.answer as PermissionSettled,
      }),
    ),
    "turn the question down": sendTo(
      "work",
      (_, p: { ask: string }): WorkAnswered => ({ type: "work.answered", ask: p.ask, settled: asked.NO_ANSWER }),
    ),
    ask: spawnChild("permission", { id: "permission", input: ({ context }) => asked.crashQuestion(context) }),
    "start the container": enqueueActions(({ context, enqueue }, p: { prepared: Prepared | null }) => {
      const child = container(budgetedIn(placedIn(context)), context.attempt, p.prepared);
      switch (child.type) {
        case "parallel":
          return enqueue.spawnChild("parallel", { id: "child", input: child.input });
        case "loop":
          return enqueue.spawnChild("loop", { id: "child", input: child.input });
        case "run": {
          const called = { run: child.id, workflow: identifierOf(child.input.workflow) };
          enqueue.assign({ called });
          enqueue.emit(callStartRow(context.birth, called));
          return enqueue.spawnChild("run", { id: "child", input: child.input });
        }
        default:
          return child satisfies never;
      }
    }),
    "record the end of the call": enqueueActions(({ context, enqueue }, p: { output: unknown }) => {
      if (context.called === null) return;
      enqueue.emit(callEndRow(context.birth, context.called, p.output));
      enqueue.assign({ called: null });
    }),
    "start the clock": raise(
      { type: "limit.reached" },
      { id: LIMIT, delay: ({ context }) => context.birth.node.timeoutMs ?? NEVER },
    ),
    "stop the clock": cancel(LIMIT),
    "forward to what runs": sendTo(everyChild, ({ event }) => event),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
  },
});
