/**
 * An attempt's work while it runs, and what it asks a person meanwhile.
 *
 * I1. A question is a child beside the work; its answer goes to the work that asked, once.
 * I2. However the work ends, its questions that are open are taken back before the step moves on.
 */
import { NOBODY } from "./questions.ts";
import { stepSetup } from "./vocabulary.ts";

export const working = stepSetup.createStateConfig({
  description: "A command, an agent or an operation runs, and may ask a person.",
  tags: "works",
  entry: "start the work",
  on: {
    "work.asked": [
      {
        description: "The work has a question for a person.",
        guard: "asks too much?",
        actions: { type: "turn the question down", params: ({ event }) => ({ ask: event.ask }) },
      },
      { actions: { type: "put the question", params: ({ event }) => event } },
    ],
    "work.withdrew": {
      description: "The work no longer wants the answer.",
      actions: { type: "take the question back", params: ({ event }) => ({ ask: event.ask }) },
    },
    "xstate.done.actor.ask.*": {
      actions: [
        { type: "forget the question", params: ({ event }) => ({ child: event.actorId }) },
        { type: "tell the answer", params: ({ event }) => ({ child: event.actorId, answer: event.output }) },
      ],
    },
    "xstate.error.actor.ask.*": {
      actions: [
        { type: "forget the question", params: ({ event }) => ({ child: event.actorId }) },
        { type: "tell the answer", params: ({ event }) => ({ child: event.actorId, answer: NOBODY }) },
      ],
    },
    "xstate.done.actor.work": {
      target: "#step.withdrawing",
      actions: { type: "note the result", params: ({ event }) => ({ output: event.output }) },
    },
    "xstate.error.actor.work": [
      {
        guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) },
        target: "#step.abandoning",
      },
      {
        target: "#step.withdrawing",
        actions: { type: "note the fault", params: ({ event }) => ({ error: event.error }) },
      },
    ],
  },
});
