/**
 * Before an agent's turn: whether the budgets that hold for it let it begin.
 *
 * I1. Each turn is weighed, also a repair, a retry, a person's next words and what a crash cut off.
 * I2. A step that stops here waits as one that a crash cut off: it is weighed anew when its run is resumed.
 * I3. While a person is asked here its time limit stands still: it begins anew with the answer.
 */
import { CANCELLED } from "../model.ts";
import { budgetSetup } from "./budgeting.ts";

export const weighing = budgetSetup.createStateConfig({
  description: "What was spent is counted: may the agent's turn begin?",
  tags: "works",
  entry: "weigh its budget",
  on: {
    "xstate.done.actor.weigh": [
      {
        guard: { type: "is within its budget?", params: ({ event }) => ({ output: event.output }) },
        target: "working",
      },
      {
        guard: { type: "goes on with its next model?", params: ({ event }) => ({ output: event.output }) },
        target: "choosing",
        actions: [
          { type: "note the limit", params: ({ event }) => ({ output: event.output }) },
          "change over at its budget",
        ],
      },
      {
        guard: { type: "stops at its budget?", params: ({ event }) => ({ output: event.output }) },
        target: "spent",
        actions: { type: "note the limit", params: ({ event }) => ({ output: event.output }) },
      },
      {
        target: "exceeding",
        actions: { type: "note the limit", params: ({ event }) => ({ output: event.output }) },
      },
    ],
    "xstate.error.actor.weigh": [
      { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unweighed" },
      {
        target: "#step.judging",
        actions: { type: "note the fault", params: ({ event }) => ({ error: event.error }) },
      },
    ],
  },
});

/** Its time limit stands still. */
const WAITS = {
  "owner.lost": {},
  "run.rested": {},
  "run.woken": {},
  "cancel.requested": {
    target: "#step.closing",
    actions: { type: "note the outcome", params: { outcome: CANCELLED } },
  },
} as const;

export const unweighed = budgetSetup.createStateConfig({
  description: "A crash came before the turn could begin: what was spent is counted again.",
  tags: "cut off",
  on: { "resume.requested": { target: "choosing", actions: "start the clock" }, ...WAITS },
});

export const exceeding = budgetSetup.createStateConfig({
  description: "A limit is reached: a person is asked whether the agent may go on.",
  tags: "asks",
  entry: ["stop the clock", "ask to go on"],
  on: {
    "xstate.done.actor.permission": [
      {
        guard: { type: "answers?", params: ({ event }) => ({ answer: event.output, is: "more" }) },
        target: "choosing",
        actions: ["raise the limit", "start the clock"],
      },
      {
        guard: { type: "answers?", params: ({ event }) => ({ answer: event.output, is: "next" }) },
        target: "choosing",
        actions: ["change over at its budget", "start the clock"],
      },
      { target: "spent" },
    ],
    "xstate.error.actor.permission": "spent",
    // Who resumes the run may give a limit: the question is put anew where that is not enough.
    "owner.lost": { actions: "cancel what runs" },
    "resume.requested": { actions: "forward to what runs" },
    "run.rested": {},
    "run.woken": {},
  },
});

export const spent = budgetSetup.createStateConfig({
  description: "A limit is reached, and nobody has let the agent go on: it waits to be resumed.",
  tags: "cut off",
  entry: ["stop the clock", "record the stop"],
  on: {
    "resume.requested": {
      target: "choosing",
      actions: [
        { type: "take the limits given", params: ({ event }) => ({ limits: event.budget }) },
        "start the clock",
      ],
    },
    ...WAITS,
  },
});
