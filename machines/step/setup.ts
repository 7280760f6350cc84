/** The step machine's vocabulary: its types, the children it may start, its guards and actions. The chart is in `step-machine.ts`. */
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
import { everyChild, NEVER, slot } from "../address.ts";
import type {
  Control,
  LoopInput,
  ParallelInput,
  PermissionInput,
  PermissionSettled,
  Prepared,
  PrepareInput,
  RunInput,
  RunSettled,
  StepInput,
  WorkInput,
  WorkResult,
} from "../births.ts";
import type { Row } from "../exchange.ts";
import { type Born, CANCELLED, type Fault, type Outcome, type Settled } from "../model.ts";
import {
  afterCrash,
  backoffMs,
  container,
  exitFault,
  faultOf,
  isContainer,
  type Judgement,
  judged,
  mayRetry,
  needsPreparing,
  prepareInput,
  question,
  startRow,
  workInput,
} from "./attempts.ts";

export type StepEvent =
  | Control
  | { type: "work.noted"; conversation: string }
  | DoneActorEvent<WorkResult | Prepared | Settled | RunSettled | PermissionSettled>
  | ErrorActorEvent;
export type StepContext = {
  birth: Born & StepInput;
  /** Numbers the starts of its work from 1: names of text blocks are made of it, so that none comes twice. */
  attempt: number;
  /** Attempts that a crash cut off: they use up none of the retries. */
  cutOff: number;
  conversation: string | null;
  /** How the latest attempt ended, or why it is being stopped. */
  judgement: Judgement | null;
};

/** Time that cancelled work has to end by itself: the ladder of a process takes six seconds at most. */
export const CANCEL_LIMIT_MS = 10_000;
export const TIMEOUT: Fault = {
  code: "EXECUTION.COMMAND.TIMEOUT",
  message: "the step did not end within its time limit",
};

export const CUT_OFF: Outcome = {
  status: "failed",
  exitCode: 1,
  error: { code: "EXECUTION.STEP.INTERRUPTED", message: "the step was cut off by a crash and is not repeated" },
};

export const stepSetup = setup({
  types: {} as { context: StepContext; input: Born & StepInput; events: StepEvent; emitted: Row; output: Settled },
  actors: {
    work: slot<WorkInput, WorkResult>(),
    prepare: slot<PrepareInput, Prepared>(),
    parallel: slot<ParallelInput, Settled>(),
    loop: slot<LoopInput, Settled>(),
    run: slot<RunInput, RunSettled>(),
    permission: slot<PermissionInput, PermissionSettled>(),
  },
  delays: {
    backoff: ({ context }) => backoffMs(context),
    timeout: ({ context }) => context.birth.node.timeoutMs ?? NEVER,
    // The steps below a container have limits of their own, and each writes its last row.
    cancelLimit: ({ context }) => (isContainer(context.birth.node) ? NEVER : CANCEL_LIMIT_MS),
  },
  guards: {
    "must prepare?": ({ context }) => needsPreparing(context.birth.node),
    "is a container?": ({ context }) => context.birth.node.type === "parallel",
    "may try again?": ({ context }) => mayRetry(context),
    "was cut off?": (_, p: { error: unknown }) => faultOf(p.error).code === "INTERRUPTED",
    "goes on as?": ({ context }, p: { asked: string; is: string }) => afterCrash(context.birth.node, p.asked) === p.is,
    "answers?": (_, p: { answer: unknown; is: string }) => {
      const answer = p.answer as PermissionSettled;
      return answer.outcome === "selected" && answer.option === p.is;
    },
  },
  actions: {
    "record the start": emit(({ context }) => startRow(context.birth)),
    "record the retry": emit(
      ({ context: { birth, attempt, cutOff, judgement } }): Row => ({
        type: "step.retrying",
        run: birth.origin.run,
        step: birth.origin.step,
        payload: {
          name: birth.node.name,
          attempt,
          delayMs: backoffMs({ birth, attempt, cutOff, judgement }),
          reason: judgement?.outcome.error ?? exitFault(judgement?.outcome.exitCode ?? 1),
        },
      }),
    ),
    "record the end": emit(({ context: { birth, judgement } }): Row => {
      const { status, exitCode, error } = judgement?.outcome ?? CANCELLED;
      return {
        type: "step.completed",
        run: birth.origin.run,
        step: birth.origin.step,
        payload: { name: birth.node.name, kind: birth.node.type, status, exitCode, ...(error ? { error } : {}) },
      };
    }),
    "count the attempt": assign({ attempt: ({ context }) => context.attempt + 1, judgement: null }),
    "count the cut": assign({ cutOff: ({ context }) => context.cutOff + 1 }),
    "note the conversation": assign((_, p: { conversation: string }) => p),
    "note the result": assign(({ context }, p: { output: unknown }) => ({
      judgement: judged(context.birth.node, p.output),
    })),
    "note the outcome": assign((_, p: { outcome: Outcome }) => ({
      judgement: { outcome: p.outcome, left: null, states: {}, draw: 0.5 },
    })),
    "note the fault": assign((_, p: { error: unknown }) => ({
      judgement: {
        outcome: { status: "failed" as const, exitCode: 1, error: faultOf(p.error) },
        left: null,
        states: {},
        draw: 0.5,
      },
    })),
    "start preparing": spawnChild("prepare", { id: "prepare", input: ({ context }) => prepareInput(context) }),
    "start the work": spawnChild("work", { id: "work", input: ({ context }) => workInput(context) }),
    ask: spawnChild("permission", { id: "permission", input: ({ context }) => question(context.birth) }),
    "start the container": enqueueActions(({ context, enqueue }, p: { prepared: Prepared | null }) => {
      const child = container(context.birth, context.attempt, p.prepared);
      switch (child.type) {
        case "parallel":
          return enqueue.spawnChild("parallel", { id: "child", input: child.input });
        case "loop":
          return enqueue.spawnChild("loop", { id: "child", input: child.input });
        case "run":
          return enqueue.spawnChild("run", { id: "child", input: child.input });
        default:
          return child satisfies never;
      }
    }),
    "tell what runs": sendTo(everyChild, ({ event }) => event),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
  },
});
