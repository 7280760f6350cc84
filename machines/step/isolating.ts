/**
 * A step's own tree: made before its work, seen to after it.
 *
 * I1. Each git step is an effect of its own, and recorded before the next begins; one that a crash cut off is asked for
 *     again when the run is resumed.
 * I2. A fault of the tree after the work changes nothing of how the step ended: the tree is left as it is, and said so.
 */
import { CANCELLED } from "../model.ts";
import { stepSetup } from "./vocabulary.ts";

export const isolating = stepSetup.createStateConfig({
  description: "A tree of its own is made for the step, one recorded git step after another.",
  tags: "works",
  entry: "start the git step before",
  on: {
    "xstate.done.actor.tree": {
      target: "choosing",
      actions: { type: "note the git step", params: ({ event }) => ({ output: event.output }) },
    },
    "xstate.error.actor.tree": [
      { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unmade" },
      {
        target: "#step.judging",
        actions: { type: "note the fault", params: ({ event }) => ({ error: event.error }) },
      },
    ],
  },
});

export const unmade = stepSetup.createStateConfig({
  description: "A crash cut a git step off before the work: it is done again.",
  tags: "cut off",
  on: {
    "resume.requested": { target: "choosing", actions: "start the clock" },
    "cancel.requested": {
      target: "#step.closing",
      actions: { type: "note the outcome", params: { outcome: CANCELLED } },
    },
  },
});

export const settling = stepSetup.createStateConfig({
  description: "What stands in the step's tree is collected, merged or cleared, one recorded git step after another.",
  tags: "works",
  entry: "start the git step after",
  on: {
    "xstate.done.actor.tree": {
      target: "choosing",
      actions: { type: "note the git step", params: ({ event }) => ({ output: event.output }) },
    },
    "xstate.error.actor.tree": [
      { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unsettled" },
      {
        target: "choosing",
        actions: { type: "leave the tree", params: ({ event }) => ({ error: event.error }) },
      },
    ],
    "cancel.requested": { actions: "note the cancel" },
  },
});

export const offering = stepSetup.createStateConfig({
  description: "A person is asked what becomes of the work in the step's tree.",
  tags: "asks",
  entry: "ask about the tree",
  on: {
    "xstate.done.actor.permission": {
      target: "choosing",
      actions: { type: "note the answer", params: ({ event }) => ({ answer: event.output }) },
    },
    "xstate.error.actor.permission": {
      target: "choosing",
      actions: { type: "leave the tree", params: ({ event }) => ({ error: event.error }) },
    },
    "resume.requested": { actions: "forward to what runs" },
    "owner.lost": { actions: "forward to what runs" },
    "cancel.requested": { actions: ["note the cancel", "cancel what runs"] },
  },
});

export const unsettled = stepSetup.createStateConfig({
  description: "A crash cut a git step off after the work: it is done again.",
  tags: "cut off",
  on: { "resume.requested": "choosing", "cancel.requested": { target: "choosing", actions: "note the cancel" } },
});
