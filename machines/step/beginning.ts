/**
 * Before a step's first attempt: what it depends on, a person's approval, the hooks that stand before it.
 *
 * I1. A step that does not get through runs no hooks, neither before nor after.
 * I2. An approval once given is not asked for again after a crash.
 */
import { ASIDE } from "../control.ts";
import { CANCELLED } from "../model.ts";
import { stepSetup } from "./vocabulary.ts";

export const beginning = stepSetup.createStateConfig({
  description: "What comes before the first attempt.",
  initial: "choosing",
  on: { "cancel.requested": "cancelling" },
  states: {
    choosing: {
      description: "May it begin, and who must say so?",
      always: [
        { guard: "lacks something?", target: "#step.ended", actions: "note what is lacking", meta: ASIDE },
        { guard: "needs approval?", target: "rendering" },
        { target: "approved" },
      ],
    },
    rendering: {
      description: "What the approval says, and what the step would do, is rendered.",
      tags: "works",
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
      description: "A person is asked whether it may run.",
      tags: "asks",
      on: {
        "xstate.done.actor.permission": [
          {
            guard: { type: "is approved?", params: ({ event }) => ({ answer: event.output }) },
            target: "approved",
          },
          { target: "#step.ended", actions: "note the denial", meta: ASIDE },
        ],
        "xstate.error.actor.permission": {
          target: "#step.ended",
          actions: { type: "note the fault", params: ({ event }) => ({ error: event.error }) },
        },
        "resume.requested": { actions: "forward to what runs" },
        "owner.lost": { actions: "forward to what runs" },
      },
    },
    approved: {
      description: "Nothing more is asked; are there hooks before the step?",
      always: [{ guard: "has hooks before?", target: "hooking" }, { target: "#step.attempting" }],
    },
    hooking: {
      description: "The hooks before the step run.",
      tags: "works",
      entry: "start the hooks before",
      on: {
        "xstate.done.actor.hooks": "#step.attempting",
        "xstate.error.actor.hooks": [
          { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unhooked" },
          { target: "#step.attempting" },
        ],
      },
    },
    unrendered: {
      description: "A crash cut the rendering off: it is done again.",
      tags: "cut off",
      on: {
        "resume.requested": "rendering",
        "cancel.requested": {
          target: "#step.ended",
          actions: { type: "note the outcome", params: { outcome: CANCELLED } },
        },
      },
    },
    unhooked: {
      description: "A crash cut the hooks off: they run again.",
      tags: "cut off",
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
