/** An attempt that a crash has cut off: it is run again, counts as failed, or a person is asked. */
import { CANCELLED } from "../model.ts";
import { CUT_OFF } from "./context.ts";
import { stepSetup } from "./vocabulary.ts";

export const interrupted = stepSetup.createStateConfig({
  description: "A crash cut the attempt off.",
  tags: "cut off",
  on: {
    "resume.requested": [
      {
        guard: { type: "resumes as?", params: ({ event }) => ({ asked: event.recover, is: "rerun" }) },
        target: "#step.attempting",
        actions: ["record the rerun", "count the attempt", "count it as free"],
      },
      {
        guard: { type: "resumes as?", params: ({ event }) => ({ asked: event.recover, is: "ask" }) },
        target: "#step.asking",
      },
      { target: "#step.closing", actions: { type: "note the outcome", params: { outcome: CUT_OFF } } },
    ],
    "cancel.requested": {
      target: "#step.closing",
      actions: { type: "note the outcome", params: { outcome: CANCELLED } },
    },
  },
});

export const asking = stepSetup.createStateConfig({
  description: "A person is asked what becomes of the attempt that was cut off.",
  tags: "asks",
  entry: "ask",
  on: {
    "xstate.done.actor.permission": [
      {
        guard: { type: "answers?", params: ({ event }) => ({ answer: event.output, is: "rerun" }) },
        target: "#step.attempting",
        actions: ["record the rerun", "count the attempt", "count it as free"],
      },
      {
        guard: { type: "answers?", params: ({ event }) => ({ answer: event.output, is: "fail" }) },
        target: "#step.closing",
        actions: { type: "note the outcome", params: { outcome: CUT_OFF } },
      },
      { target: "#step.interrupted" },
    ],
    "xstate.error.actor.permission": "#step.interrupted",
    "resume.requested": { actions: "forward to what runs" },
    "owner.lost": { actions: "forward to what runs" },
    "cancel.requested": "#step.cancelling",
  },
});
