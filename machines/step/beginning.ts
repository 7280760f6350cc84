/**
 * Before a step's first attempt: what it depends on, a person's approval, the hooks that stand before it.
 *
 * I1. A step that does not get through runs no hooks, neither before nor after.
 * I2. An approval once given is not asked for again after a crash.
 */
import { CANCELLED } from "../model.ts";
import { stepSetup } from "./vocabulary.ts";

export const beginning = stepSetup.createStateConfig({
  initial: "choosing",
  on: { "cancel.requested": "cancelling" },
  states: {
    choosing: {
      always: [
        { guard: "lacks something?", target: "#step.ended", actions: "note what is lacking" },
        { guard: "has words to render?", target: "rendering" },
        {
          guard: "needs approval?",
          target: "approving",
          actions: { type: "ask for approval", params: { prepared: null } },
        },
        { target: "approved" },
      ],
    },
    rendering: {
      entry: "render the approval",
      on: {
        "xstate.done.actor.prepare": {
          target: "approving",
          actions: { type: "ask for approval", params: ({ event }) => ({ prepared: event.output }) },
        },
        "xstate.error.actor.prepare": [
          { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unrendered" },
          {
            target: "#step.ended",
            actions: { type: "note the fault", params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    approving: {
      on: {
        "xstate.done.actor.permission": [
          {
            guard: { type: "is approved?", params: ({ event }) => ({ answer: event.output }) },
            target: "approved",
          },
          { target: "#step.ended", actions: "note the denial" },
        ],
        "xstate.error.actor.permission": {
          target: "#step.ended",
          actions: { type: "note the fault", params: ({ event }) => ({ error: event.error }) },
        },
        "resume.requested": { actions: "tell what runs" },
        "owner.lost": { actions: "tell what runs" },
      },
    },
    approved: { always: [{ guard: "has hooks before?", target: "hooking" }, { target: "#step.attempting" }] },
    hooking: {
      entry: "start the hooks before",
      on: {
        "xstate.done.actor.hooks": "#step.attempting",
        "xstate.error.actor.hooks": [
          { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unhooked" },
          { target: "#step.attempting" },
        ],
      },
    },
    // A crash cut its rendering or its hooks off: they are done again when somebody asks to go on.
    unrendered: {
      on: {
        "resume.requested": "rendering",
        "cancel.requested": {
          target: "#step.ended",
          actions: { type: "note the outcome", params: { outcome: CANCELLED } },
        },
      },
    },
    unhooked: {
      on: {
        "resume.requested": "hooking",
        "cancel.requested": {
          target: "#step.ended",
          actions: { type: "note the outcome", params: { outcome: CANCELLED } },
        },
      },
    },
  },
});
