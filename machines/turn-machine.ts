/**
 * One `session/prompt`: from the user's message to a stop reason. It asks for trust where that is needed and asks
 * its session for the run; a run may outlive it.
 *
 * I1. `turn.completed` is its last row, exactly one.
 * I2. Nothing is started before the workspace is trusted.
 * I3. Its stop reason is `cancelled` only where a cancel came, or its process was lost. A no, or a limit, that stopped
 *     its run or kept it from beginning is a `refusal`, with the reason.
 * I4. One that ends without a run says why.
 * I5. What was said yes to is what runs: where a file that the run will read has changed since the question, it asks
 *     again.
 */
import { faultOf } from "./step/attempts.ts";
import { CANCELLED, CHANGING, INTERRUPTED, REFUSED, UNANSWERED } from "./turn/faults.ts";
import { filesOf } from "./turn/trust.ts";
import { turnSetup } from "./turn/vocabulary.ts";

export const turnMachine = turnSetup.createMachine({
  id: "turn",
  version: "2",
  context: ({ input }) => ({ birth: input, stopReason: "end_turn", fault: null, files: filesOf(input), asked: 0 }),
  entry: ["record the start", "record the prompt"],
  initial: "choosing",
  states: {
    choosing: {
      description: "What does the prompt want, and may it?",
      always: [
        {
          guard: { type: "asks for?", params: { type: "explain" } },
          target: "ended",
          actions: ["note the explanation", "explain"],
        },
        { guard: { type: "asks for?", params: { type: "resume" } }, target: "running" },
        { guard: { type: "asks for?", params: { type: "answer" } }, target: "running" },
        { guard: "is trusted?", target: "requesting" },
        { guard: "may be asked?", target: "asking" },
        { target: "refused", actions: "note that there is no user to ask" },
      ],
    },
    asking: {
      description: "A person is asked whether the workspace is trusted.",
      tags: "asks",
      entry: "ask for trust",
      on: {
        "xstate.done.actor.permission": [
          {
            guard: { type: "says yes?", params: ({ event }) => ({ output: event.output }) },
            target: "granting",
            actions: { type: "grant", params: { keeps: true } },
          },
          {
            guard: { type: "says once?", params: ({ event }) => ({ output: event.output }) },
            target: "granting",
            actions: { type: "grant", params: { keeps: false } },
          },
          {
            guard: { type: "says no?", params: ({ event }) => ({ output: event.output }) },
            target: "refused",
            actions: { type: "note the end", params: { stopReason: "refusal", fault: REFUSED } },
          },
          {
            target: "refused",
            actions: { type: "note the end", params: { stopReason: "refusal", fault: UNANSWERED } },
          },
        ],
        "xstate.error.actor.permission": {
          target: "refused",
          actions: {
            type: "note the end",
            params: ({ event }) => ({ stopReason: "refusal", fault: faultOf(event.error) }),
          },
        },
        "cancel.requested": {
          description: "The client cancels its prompt.",
          target: "withdrawing",
          actions: { type: "note the end", params: { stopReason: "cancelled", fault: CANCELLED } },
        },
        "owner.lost": {
          description: "The process that ran it has died.",
          target: "withdrawing",
          actions: { type: "note the end", params: { stopReason: "cancelled", fault: INTERRUPTED } },
        },
      },
    },
    withdrawing: {
      description: "The question is being taken back.",
      tags: "stops",
      entry: "cancel what runs",
      on: { "xstate.done.actor.permission": "refused", "xstate.error.actor.permission": "refused" },
    },
    granting: {
      description: "The consent is written down, and the files are looked at once more.",
      tags: "works",
      on: {
        "xstate.done.actor.trust": [
          { guard: { type: "is granted?", params: ({ event }) => ({ output: event.output }) }, target: "requesting" },
          {
            guard: "may be asked again?",
            target: "asking",
            actions: { type: "note the files", params: ({ event }) => ({ output: event.output }) },
          },
          {
            target: "refused",
            actions: { type: "note the end", params: { stopReason: "refusal", fault: CHANGING } },
          },
        ],
        "xstate.error.actor.trust": {
          target: "refused",
          actions: {
            type: "note the end",
            params: ({ event }) => ({ stopReason: "refusal", fault: faultOf(event.error) }),
          },
        },
        "cancel.requested": {
          target: "refused",
          actions: { type: "note the end", params: { stopReason: "cancelled", fault: CANCELLED } },
        },
        "owner.lost": {
          target: "refused",
          actions: { type: "note the end", params: { stopReason: "cancelled", fault: INTERRUPTED } },
        },
      },
    },
    requesting: { description: "The session is asked for the run.", entry: "ask for the run", always: "running" },
    running: {
      description: "The run continues, or waits for its answer.",
      tags: "works",
      on: {
        "run.parked": { description: "The run waits for a person, and outlives the turn.", target: "ended" },
        "run.settled": {
          description: "The run has ended.",
          target: "ended",
          actions: {
            type: "note the end",
            params: ({ event }) => ({
              stopReason: event.settled.outcome.status === "cancelled" ? "refusal" : "end_turn",
              fault: event.settled.outcome.error ?? null,
            }),
          },
        },
        "cancel.requested": "cancelling",
        "owner.lost": {
          target: "ended",
          actions: { type: "note the end", params: { stopReason: "cancelled", fault: INTERRUPTED } },
        },
      },
    },
    // A run that was over before its cancel has ended as it has.
    cancelling: {
      description: "The run hears the cancel; its end is waited for.",
      tags: "stops",
      on: {
        "run.parked": {
          target: "ended",
          actions: { type: "note the end", params: { stopReason: "cancelled", fault: null } },
        },
        "run.settled": {
          target: "ended",
          actions: {
            type: "note the end",
            params: ({ event }) => ({
              stopReason: event.settled.outcome.status === "cancelled" ? "cancelled" : "end_turn",
              fault: event.settled.outcome.error ?? null,
            }),
          },
        },
        "owner.lost": {
          target: "ended",
          actions: { type: "note the end", params: { stopReason: "cancelled", fault: INTERRUPTED } },
        },
      },
    },
    refused: {
      description: "Nothing was run, and the conversation says why.",
      always: { target: "ended", actions: ["explain the fault", "record the run that never began"] },
    },
    ended: {
      description: "Its last row is written, with the reason why it stopped.",
      type: "final",
      entry: "record the end",
    },
  },
  output: ({ context }) => ({ stopReason: context.stopReason }),
});
