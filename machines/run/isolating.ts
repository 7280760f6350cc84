/**
 * A tree for a whole run: made before its first state, seen to after its last one, as a step's own is.
 *
 * I1. Each git step is an effect of its own, and recorded before the next begins; one that a crash cut off is asked for
 *     again when the run is resumed.
 * I2. A fault of the tree after the last state changes nothing of how the run ended.
 */
import { faultOf } from "../step/attempts.ts";
import { CANCELLED } from "./rows.ts";
import { runSetup } from "./vocabulary.ts";

const GIT_STEP_DONE = {
  target: "choosing",
  actions: {
    type: "note the git step",
    params: ({ event }: { event: { output: unknown } }) => ({ output: event.output }),
  },
} as const;
const CANCEL = { type: "note the outcome", params: { outcome: CANCELLED } } as const;

export const isolating = runSetup.createStateConfig({
  description: "A tree is made for the whole run, one recorded git step after another.",
  tags: "works",
  entry: "start the git step before",
  on: {
    "xstate.done.actor.tree": GIT_STEP_DONE,
    "xstate.error.actor.tree": [
      { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unmade" },
      {
        target: "#run.concluding",
        actions: {
          type: "note the outcome",
          params: ({ event }) => ({ outcome: { status: "failed", exitCode: 1, error: faultOf(event.error) } }),
        },
      },
    ],
  },
});

export const unmade = runSetup.createStateConfig({
  description: "A crash cut a git step off before the first state: it is done again.",
  tags: "cut off",
  on: { "resume.requested": "choosing", "cancel.requested": { target: "#run.concluding", actions: CANCEL } },
});

export const settling = runSetup.createStateConfig({
  description: "What stands in the run's tree is collected, merged or cleared, one recorded git step after another.",
  tags: "works",
  entry: "start the git step after",
  on: {
    "xstate.done.actor.tree": { ...GIT_STEP_DONE, target: "closing" },
    "xstate.error.actor.tree": [
      { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unsettled" },
      { target: "closing", actions: { type: "leave the tree", params: ({ event }) => ({ error: event.error }) } },
    ],
    "cancel.requested": { actions: CANCEL },
  },
});

export const offering = runSetup.createStateConfig({
  description: "A person is asked what becomes of the work in the run's tree.",
  tags: "asks",
  entry: "ask about the tree",
  on: {
    "xstate.done.actor.permission": {
      target: "closing",
      actions: { type: "note the answer", params: ({ event }) => ({ answer: event.output }) },
    },
    "xstate.error.actor.permission": {
      target: "closing",
      actions: { type: "leave the tree", params: ({ event }) => ({ error: event.error }) },
    },
    "resume.requested": { actions: "forward to what runs" },
    "owner.lost": { actions: "forward to what runs" },
    "cancel.requested": { actions: [CANCEL, "cancel what runs"] },
  },
});

export const unsettled = runSetup.createStateConfig({
  description: "A crash cut a git step off after the last state: it is done again.",
  tags: "cut off",
  on: { "resume.requested": "closing", "cancel.requested": { target: "closing", actions: CANCEL } },
});
