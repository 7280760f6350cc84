/** What a step machine hears and keeps, and the fixed values of its verdicts. */
import type { DoneActorEvent, ErrorActorEvent } from "xstate";
import type { AskForm } from "../ask/form.ts";
import type { InputSettled } from "../ask/parked.ts";
import type { Standing, Weighed } from "../budget/weighed.ts";
import type {
  Control,
  HooksResult,
  PermissionSettled,
  Prepared,
  RunSettled,
  StepInput,
  WorkAsks,
  WorkResult,
} from "../contracts.ts";
import type { TellReport } from "../guidance.ts";
import type { Born, Outcome, Settled } from "../model.ts";
import type { StepNode } from "../workflow/document.ts";
import type { StepTree, TreeNews } from "../worktree/progress.ts";
import type { Judgement } from "./attempts.ts";
import type { Guided } from "./guidance.ts";

export type StepEvent =
  | Control
  | { type: "limit.reached" }
  | { type: "work.noted"; conversation: string }
  | WorkAsks
  | TellReport
  | DoneActorEvent<
      | WorkResult
      | Prepared
      | Settled
      | RunSettled
      | PermissionSettled
      | InputSettled
      | HooksResult
      | TreeNews
      | Weighed
      | null
    >
  | ErrorActorEvent;
/** A called run by its id, and the name of its workflow. */
export type Called = { run: string; workflow: string };
export type StepContext = {
  birth: Born & StepInput;
  /** Numbers the starts of its work from 1: names of text blocks are made of it, so that none comes twice. */
  attempt: number;
  /** Attempts that use up none of the retries: cut off by a crash, or a further turn of a conversation. */
  free: number;
  conversation: string | null;
  /** A person's latest words in a conversation. */
  said: string | null;
  /** How often an answer went back to its agent, and the words for the agent in the attempt that follows. */
  repair: { made: number; words: string | null };
  /** What a person said while its agent works; absent where nothing was said. */
  guidance?: Guided;
  /** Questions of its running work that a person has not answered yet, as the work numbers them. */
  asks: string[];
  /** Of an `ask` step: what it asks, once that was rendered, and what was answered. */
  form?: AskForm;
  /** The run that this step has called and that has not ended. */
  called: Called | null;
  /** The tree of its own, as far as it was made. */
  tree?: StepTree;
  /** Which of its fallbacks works in the place of its own agent, from 1. */
  standIn?: number;
  /** How often it has waited for its provider. */
  waits?: number;
  /** The limit at which it stands. */
  reached?: Standing;
  /** How the latest attempt ended, or why it is being stopped. One that is under way comes to a cancel, for want of another end. */
  judgement: Judgement;
};

/** More questions than this are not asked at once: the rest is answered as if there were no one to ask. */
export const MOST_ASKS = 16;
/** Time that cancelled work has to end by itself: the ladder of a process takes six seconds at most. */
export const CANCEL_LIMIT_MS = 10_000;
/** The codes of kinds of steps whose failures have codes of their own. */
const TIMEOUTS: { readonly [type in StepNode["type"]]?: string } = {
  agent: "EXECUTION.AGENT.TIMEOUT",
  command: "EXECUTION.COMMAND.TIMEOUT",
  operation: "EXECUTION.OPERATION.TIMEOUT",
};
/** What a step comes to that took longer than its `timeout`. */
export const timedOut = ({ type }: StepNode): Outcome => ({
  status: "failed",
  exitCode: 124,
  error: { code: TIMEOUTS[type] ?? "EXECUTION.STEP.TIMEOUT", message: "the step did not end within its time limit" },
});

export const CUT_OFF: Outcome = {
  status: "failed",
  exitCode: 1,
  error: { code: "EXECUTION.STEP.INTERRUPTED", message: "the step was cut off by a crash and is not repeated" },
};
