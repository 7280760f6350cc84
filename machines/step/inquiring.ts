/**
 * The questions of an `ask` step, one after the other: each waits for a person, and nothing runs meanwhile.
 *
 * I1. An answer is kept with the question's end: a crash after it asks the next question, not this one again.
 * I2. No time limit counts: it waits for a person alone.
 */
import { stepSetup } from "./vocabulary.ts";

export const inquiring = stepSetup.createStateConfig({
  description: "A person is asked, question by question.",
  tags: "asks",
  entry: "ask the next",
  on: {
    "xstate.done.actor.input": {
      target: "hearing",
      actions: { type: "note the answer to it", params: ({ event }) => ({ answer: event.output }) },
    },
    "xstate.error.actor.input": {
      target: "closing",
      actions: { type: "note the fault", params: ({ event }) => ({ error: event.error }) },
    },
    "cancel.requested": "cancelling",
  },
});

export const hearing = stepSetup.createStateConfig({
  description: "Is there anything left to ask?",
  always: [{ guard: "has all answers?", target: "judging" }, { target: "inquiring" }],
});
