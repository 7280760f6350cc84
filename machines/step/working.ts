/**
 * An attempt's work while it runs, and what it asks a person meanwhile.
 *
 * I1. A question is a child beside the work; its answer goes to the work that asked, once.
 * I2. However the work ends, its questions that are open are taken back before the step moves on.
 */
import type { Told } from "../guidance.ts";
import { NO_ANSWER } from "./questions.ts";
import { stepSetup } from "./vocabulary.ts";

/** Its agent gets them with the prompt of its next attempt. */
export const KEEPS_WORDS = {
  description: "A person says something to the agent, which does not work just now.",
  guard: "may be told?",
  actions: {
    type: "take in words",
    params: ({ event }: { event: Told }) => ({ words: event, for: "prompt" as const }),
  },
} as const;

export const working = stepSetup.createStateConfig({
  description: "A command, an agent or an operation runs, and may ask a person.",
  tags: "works",
  entry: [{ type: "note of its words", params: { type: "attempt begins" } }, "start the work"],
  on: {
    "guidance.given": {
      description: "A person says something to the agent that works.",
      guard: "may be told?",
      actions: { type: "take in words", params: ({ event }) => ({ words: event, for: "work" }) },
    },
    "work.listens": {
      description: "The agent takes in words while it works.",
      actions: { type: "note of its words", params: { type: "listens" } },
    },
    "work.heard": {
      description: "The agent has the words.",
      actions: { type: "note of its words", params: ({ event }) => ({ type: "heard", tell: event.tell }) },
    },
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
        { type: "pass on the answer", params: ({ event }) => ({ child: event.actorId, answer: event.output }) },
      ],
    },
    "xstate.error.actor.ask.*": {
      actions: [
        { type: "forget the question", params: ({ event }) => ({ child: event.actorId }) },
        { type: "pass on the answer", params: ({ event }) => ({ child: event.actorId, answer: NO_ANSWER }) },
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
