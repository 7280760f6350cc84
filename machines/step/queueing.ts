/**
 * A provider limits its users and says until when: the step waits until it is let in, among all that wait for it in this
 * process, and asks again.
 *
 * I1. A next entry of `fallback` goes before the wait.
 * I2. It waits outside its attempts: no retry, no time limit and no turn of a budget is used up by that.
 * I3. It waits at most MOST_WAITS times; then its failure stands.
 * I4. A crash finds nothing under way: the step asks again when its run is resumed.
 */
import { enqueueActions, spawnChild } from "xstate";
import type { Row } from "../exchange.ts";
import { budgetSetup, isBudgeted } from "./budgeting.ts";
import type { StepContext } from "./context.ts";
import { KEEPS_WORDS } from "./working.ts";

type Judged = Pick<StepContext, "birth" | "judgement" | "waits">;

export const MOST_WAITS = 12;
const isLimited = ({ judgement: { outcome, limited }, waits = 0 }: Judged): boolean =>
  outcome.status === "failed" && limited === true && waits < MOST_WAITS;

/** Of a step under a budget: the turn that was let begin has not begun. */
const heldRow = ({ birth: { origin } }: Judged): Row => ({
  type: "budget.noted",
  run: origin.run,
  step: origin.step,
  payload: { is: "held" },
});

export const queueingSetup = budgetSetup.extend({
  guards: { "is to wait for its provider?": ({ context }) => isLimited(context) },
  actions: {
    "note that it waits": enqueueActions(({ context, enqueue }) => {
      if (isBudgeted(context)) enqueue.emit(heldRow(context));
      enqueue.assign({ waits: (context.waits ?? 0) + 1 });
    }),
    "wait to be let in": spawnChild("admit", {
      id: "admit",
      input: ({ context }) => ({ origin: context.birth.origin }),
    }),
  },
});

export const queueing = queueingSetup.createStateConfig({
  description: "Its provider lets nobody in for a while: it waits its turn.",
  tags: "tries again",
  entry: "wait to be let in",
  on: {
    "xstate.done.actor.admit": { target: "attempting", actions: "count the attempt" },
    "xstate.error.actor.admit": [
      { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "held" },
      { target: "closing", actions: { type: "note the fault", params: ({ event }) => ({ error: event.error }) } },
    ],
    "guidance.given": KEEPS_WORDS,
    "cancel.requested": "cancelling",
  },
});
