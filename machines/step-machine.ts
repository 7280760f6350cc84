/**
 * One step of a run: it wraps every kind alike. Its work is an effect (command, agent, operation) or a child
 * machine (`parallel`, `loop`, `run`); around it stand attempts, retry, timeout, cancel and what a crash means.
 *
 * I1. It settles exactly once, after everything it started has settled, cancelled work included.
 * I2. A crash cuts off an attempt, not a step: `interrupted` waits until the run is resumed.
 * I3. A result that arrives after a cancel or timeout does not change the verdict; what it holds of output and of
 *     states below is kept.
 * I4. Work that runs may ask a person. What it asked and was not answered is closed with a row before the step moves on
 *     to anything else, be it by an end, a cancel or a crash.
 * I5. Its time limit stands still while all that is left of the run waits for a person, after a crash too, and begins
 *     anew when the run is resumed.
 * I6. No turn of an agent begins at or over a limit of a budget that holds for it: a person is asked, the step waits to be
 *     resumed, or its next model goes on.
 */
import { COMPLETED } from "./model.ts";
import { settledOf } from "./step/attempts.ts";
import { beginning } from "./step/beginning.ts";
import { containing, preparing } from "./step/containing.ts";
import { asking, interrupted } from "./step/cut-off.ts";
import { hearing, inquiring } from "./step/inquiring.ts";
import { isolating, offering, settling, unmade, unsettled } from "./step/isolating.ts";
import { queueing, queueingSetup } from "./step/queueing.ts";
import { UNREPAIRED } from "./step/repair.ts";
import { abandoning, cancelling, cutShort, stopping, unjudged, withdrawing } from "./step/stopping.ts";
import { UNJUDGED } from "./step/verdicts.ts";
import { exceeding, spent, unweighed, weighing } from "./step/weighing.ts";
import { KEEPS_WORDS, working } from "./step/working.ts";

/** What its last attempt has left stays: a later run may go on from there. */
const CANCEL = { target: "closing", actions: "note the cancel" } as const;

export const stepMachine = queueingSetup.createMachine({
  id: "step",
  version: "5",
  context: ({ input }) => ({
    birth: input,
    attempt: 1,
    free: 0,
    conversation: null,
    said: null,
    repair: UNREPAIRED,
    asks: [],
    called: null,
    judgement: UNJUDGED,
  }),
  entry: "record the start",
  initial: "beginning",
  states: {
    beginning,
    attempting: {
      description: "One attempt, within the time limit.",
      tags: "works",
      initial: "choosing",
      entry: "start the clock",
      exit: "stop the clock",
      on: {
        "limit.reached": {
          description: "The time limit is over.",
          target: "stopping",
          actions: "note the time limit",
        },
        "cancel.requested": { description: "The step is to end.", target: "cancelling" },
        "resume.requested": {
          description: "The run is resumed after a crash.",
          actions: ["start the clock", "forward to what runs"],
        },
        "run.woken": {
          description: "A person has answered: the time limit begins anew.",
          actions: ["start the clock", "forward to what runs"],
        },
        "owner.lost": {
          description: "The process that ran it has died.",
          actions: ["stop the clock", "forward to what runs"],
        },
        "run.rested": {
          description: "All that is left waits for a person: the time limit stands still.",
          actions: ["stop the clock", "forward to what runs"],
        },
        "work.noted": {
          description: "The agent's conversation has a name, by which it can be continued.",
          actions: { type: "note the conversation", params: ({ event }) => ({ conversation: event.conversation }) },
        },
        "guidance.given": KEEPS_WORDS,
      },
      states: {
        choosing: {
          description: "What kind of work is it?",
          always: [
            { guard: "needs a git step?", target: "isolating" },
            {
              guard: "only merges?",
              target: "#step.judging",
              actions: { type: "note the outcome", params: { outcome: COMPLETED } },
            },
            { guard: "must prepare?", target: "preparing" },
            {
              guard: "is a container?",
              target: "containing",
              actions: { type: "start the container", params: { prepared: null } },
            },
            { guard: "is under a budget?", target: "weighing" },
            { target: "working" },
          ],
        },
        isolating,
        unmade,
        preparing,
        weighing,
        unweighed,
        exceeding,
        spent,
        working,
        containing,
      },
    },
    stopping,
    "cut short": cutShort,
    unjudged,
    withdrawing,
    abandoning,
    judging: {
      description: "What does the end of the attempt come to?",
      always: [
        {
          guard: "falls back?",
          target: "attempting",
          actions: ["change over", "count the attempt", "count it as free", "forget the repairs"],
        },
        {
          guard: "is to wait for its provider?",
          target: "queueing",
          actions: ["note that it waits", "count it as free"],
        },
        {
          guard: "may be repaired?",
          target: "attempting",
          actions: ["record the repair", "note the repair", "count the attempt", "count it as free"],
        },
        { guard: "may try again?", target: "backing off", actions: ["record the retry", "forget the repairs"] },
        {
          guard: "was told more?",
          target: "attempting",
          actions: [
            { type: "note of its words", params: { type: "turn begins" } },
            "count the attempt",
            "count it as free",
            "forget the repairs",
          ],
        },
        { guard: "goes on talking?", target: "listening" },
        { target: "closing" },
      ],
    },
    queueing,
    inquiring,
    hearing,
    listening: {
      description: "A conversation waits for a person's next words, or for none: then it ends with what was said last.",
      tags: "asks",
      entry: "listen",
      on: {
        "xstate.done.actor.input": [
          {
            guard: { type: "says something?", params: ({ event }) => ({ answer: event.output }) },
            target: "attempting",
            actions: [
              { type: "note the words", params: ({ event }) => ({ answer: event.output }) },
              "count the attempt",
              "count it as free",
            ],
          },
          { target: "closing" },
        ],
        "xstate.error.actor.input": "closing",
        "cancel.requested": "cancelling",
      },
    },
    "backing off": {
      description: "It waits before its next attempt.",
      tags: "tries again",
      after: { backoff: { target: "attempting", actions: "count the attempt" } },
      on: {
        "guidance.given": KEEPS_WORDS,
        "owner.lost": "held",
        "cancel.requested": CANCEL,
      },
    },
    held: {
      description: "It waited for its next attempt when its process died.",
      tags: "cut off",
      on: {
        "resume.requested": { target: "attempting", actions: "count the attempt" },
        "cancel.requested": CANCEL,
      },
    },
    interrupted,
    asking,
    cancelling,
    closing: {
      description: "What comes after the last attempt.",
      initial: "choosing",
      on: { "cancel.requested": "cancelling" },
      states: {
        choosing: {
          description: "Has its tree to be seen to, and are there hooks after the step?",
          always: [
            { guard: "asks about its tree?", target: "offering" },
            { guard: "has a git step left?", target: "settling" },
            { guard: "has not merged?", target: "choosing", actions: "note that it is not merged" },
            { guard: "has hooks after?", target: "hooking" },
            { target: "#step.ended" },
          ],
        },
        settling,
        offering,
        unsettled,
        hooking: {
          description: "The hooks after the step run.",
          tags: "works",
          entry: "start the hooks after",
          on: {
            "xstate.done.actor.hooks": "#step.ended",
            "xstate.error.actor.hooks": [
              { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unhooked" },
              { target: "#step.ended" },
            ],
          },
        },
        unhooked: {
          description: "A crash cut the hooks after the step off: they run again, and only then does its run go on.",
          tags: "cut off",
          on: {
            "resume.requested": "hooking",
            "cancel.requested": { target: "#step.ended", actions: "note the cancel" },
          },
        },
      },
    },
    ended: {
      description: "Its last row is written, and its owner hears how it ended.",
      type: "final",
      entry: ["record what was not heard", "record the end"],
    },
  },
  output: ({ context }) => settledOf(context),
});
