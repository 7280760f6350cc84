/**
 * The work of a container: prepared where that is needed, then done by a child machine.
 *
 * I1. A called run is named in a row before its own first row, and again with its end, once each.
 */
import type { Prepared } from "../contracts.ts";
import { stepSetup } from "./vocabulary.ts";

export const preparing = stepSetup.createStateConfig({
  description: "What a container needs before it can begin is rendered: items, bounds, the called workflow.",
  tags: "works",
  entry: "start preparing",
  on: {
    "xstate.done.actor.prepare": [
      {
        guard: { type: "is a form?", params: ({ event }) => ({ prepared: event.output }) },
        target: "#step.inquiring",
        actions: { type: "note the form", params: ({ event }) => ({ prepared: event.output }) },
      },
      {
        target: "containing",
        actions: { type: "start the container", params: ({ event }) => ({ prepared: event.output as Prepared }) },
      },
    ],
    "xstate.error.actor.prepare": [
      {
        guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) },
        target: "#step.interrupted",
      },
      {
        target: "#step.judging",
        actions: { type: "note the fault", params: ({ event }) => ({ error: event.error }) },
      },
    ],
  },
});

export const containing = stepSetup.createStateConfig({
  description: "A parallel, a loop or a called run does the work.",
  tags: "works",
  on: {
    "xstate.done.actor.child": {
      target: "#step.judging",
      actions: [
        { type: "record the end of the call", params: ({ event }) => ({ output: event.output }) },
        { type: "note the result", params: ({ event }) => ({ output: event.output }) },
      ],
    },
    "xstate.error.actor.child": {
      target: "#step.judging",
      actions: [
        { type: "record the end of the call", params: { output: null } },
        { type: "note the fault", params: ({ event }) => ({ error: event.error }) },
      ],
    },
  },
});
