/**
 * One conversation. It owns the turn in flight and the run that turns may outlive.
 *
 * I1. At most one turn at a time: a prompt that arrives while one runs is not accepted.
 * I2. A run that a crash cut off continues only when a prompt or a `resume` asks for it.
 * I3. The run and the turn end apart; the session is free again when the turn has ended.
 * I4. An answer that names its question is taken while that question is open, and changes nothing otherwise.
 * I5. What it remembers for good it tells its own permissions only, while its time has not passed; `memory.forgotten`
 *     takes one answer back, `memory.cleared` all.
 * I6. When the last viewer has left, what runs is cancelled; what waits for a person still waits.
 * I7. What is chosen is among what was offered, and holds for runs that begin afterwards.
 */
import type { RunSettled } from "./contracts.ts";
import { cutOffFor, sessionSetup } from "./session/vocabulary.ts";
import { NO_SETUP } from "./settings.ts";
import { faultOf } from "./step/attempts.ts";

export const sessionMachine = sessionSetup.createMachine({
  id: "session",
  version: "3",
  context: ({ input }) => ({
    birth: input,
    turns: 0,
    isTitled: (input.fork?.title ?? "") !== "",
    run: null,
    cancelled: false,
    inputs: [],
    settings: input.fork?.settings ?? {},
    memory: {},
    ...(input.fork ? { forkedFrom: input.fork.session } : {}),
    setup: input.setup ?? NO_SETUP,
  }),
  entry: ["record the opening", "record what the fork brought"],
  on: {
    "option.chosen": {
      description: "A mode, model or other option is chosen.",
      guard: { type: "is offered?", params: ({ event }) => event },
      actions: { type: "note the choice", params: ({ event }) => event },
    },
    "setup.changed": {
      description: "What can be chosen has changed.",
      actions: { type: "note the setup", params: ({ event }) => ({ setup: event.setup }) },
    },
    "input.opened": {
      description: "A step waits for a person's words.",
      actions: { type: "note the question", params: ({ event }) => ({ input: event.input }) },
    },
    "memory.wanted": {
      description: "A permission asks what is remembered.",
      actions: { type: "answer what is remembered", params: ({ event }) => event },
    },
    "memory.made": {
      description: "A person decided for good.",
      actions: { type: "remember", params: ({ event }) => event },
    },
    "memory.forgotten": {
      description: "A person took one answer back.",
      guard: { type: "is remembered?", params: ({ event }) => ({ digest: event.digest }) },
      actions: { type: "forget an answer", params: ({ event }) => ({ digest: event.digest }) },
    },
    "memory.cleared": {
      description: "What was decided for good no longer counts.",
      actions: "forget what is remembered",
    },
    "input.closed": {
      description: "A step waits no longer.",
      actions: { type: "forget the question", params: ({ event }) => ({ input: event.input }) },
    },
  },
  initial: "idle",
  states: {
    idle: {
      description: "Nothing runs and nothing waits.",
      on: {
        "prompt.received": {
          description: "A client's prompt, already understood as far as it can be without the machines.",
          guard: { type: "names an open question?", params: ({ event }) => ({ asks: event.asks, open: [] }) },
          target: "prompted",
          actions: { type: "start a turn", params: ({ event }) => ({ prompt: event, waiting: "nothing" }) },
        },
      },
    },
    prompted: {
      description: "A turn is in flight, with its run where it has one.",
      tags: "works",
      on: {
        "run.requested": {
          description: "The turn may begin its run.",
          actions: { type: "start the run", params: ({ event }) => ({ input: event.input }) },
        },
        "xstate.done.actor.run": {
          actions: [
            "forget the run",
            { type: "report to the turn", params: ({ event }) => ({ settled: event.output as RunSettled }) },
          ],
        },
        "xstate.error.actor.run": {
          actions: [
            "forget the run",
            {
              type: "report to the turn",
              params: ({ event }) => ({
                settled: { outcome: { status: "failed", exitCode: 4, error: faultOf(event.error) }, outputs: {} },
              }),
            },
          ],
        },
        "xstate.done.actor.turn": [
          { guard: "waits for a person?", target: "parked" },
          { guard: "has a run?", target: "interrupted" },
          { target: "idle" },
        ],
        "xstate.error.actor.turn": [{ guard: "has a run?", target: "interrupted" }, { target: "idle" }],
        // All that is left waits for a person: one who is asked, or one who may resume what was cut off.
        "host.quiet": {
          description: "Nothing of the session runs any more.",
          guard: "has a run?",
          actions: ["report to the turn that it is parked", "report to the run that it rests"],
        },
        "cancel.requested": {
          description: "Everything is to end.",
          actions: ["note the cancel", "forward to all children"],
        },
        "session.deserted": {
          description: "The last of those who attended it has gone.",
          actions: ["note the cancel", "cancel what runs"],
        },
        "owner.lost": {
          description: "The process that ran it has died.",
          target: "abandoned",
          actions: "forward to all children",
        },
      },
    },
    // The process of the turn has died: the turn ends, and what it had still to ask for is not begun (I2).
    abandoned: {
      description: "A turn whose process died, or that only explains, comes to its end.",
      tags: "stops",
      on: {
        "xstate.done.actor.run": {
          actions: [
            "forget the run",
            { type: "report to the turn", params: ({ event }) => ({ settled: event.output as RunSettled }) },
          ],
        },
        "xstate.error.actor.run": { actions: "forget the run" },
        "xstate.done.actor.turn": [{ guard: "has a run?", target: "interrupted" }, { target: "idle" }],
        "xstate.error.actor.turn": [{ guard: "has a run?", target: "interrupted" }, { target: "idle" }],
        "cancel.requested": { actions: ["note the cancel", "forward to all children"] },
        "owner.lost": { actions: "forward to all children" },
      },
    },
    parked: {
      description: "The run waits for a person and costs a row.",
      tags: "asks",
      on: {
        "prompt.received": {
          guard: {
            type: "names an open question?",
            params: ({ context, event }) => ({ asks: event.asks, open: context.inputs }),
          },
          target: "prompted",
          actions: { type: "start a turn", params: ({ event }) => ({ prompt: event, waiting: "answer" }) },
        },
        "cancel.requested": { actions: ["note the cancel", "forward to all children"] },
        "owner.lost": { actions: "forward to all children" },
        "xstate.done.actor.run": { target: "idle", actions: "forget the run" },
        "xstate.error.actor.run": { target: "idle", actions: "forget the run" },
      },
    },
    interrupted: {
      description: "A crash cut the run off.",
      tags: "cut off",
      on: {
        "prompt.received": [
          // It is explained and asks for nothing: the run stays cut off.
          {
            guard: { type: "is explained?", params: ({ event }) => ({ prompt: event }) },
            target: "abandoned",
            actions: {
              type: "start a turn",
              params: ({ context, event }) => ({ prompt: event, waiting: cutOffFor(context) }),
            },
          },
          {
            guard: {
              type: "names an open question?",
              params: ({ context, event }) => ({ asks: event.asks, open: context.inputs }),
            },
            target: "prompted",
            actions: {
              type: "start a turn",
              params: ({ context, event }) => ({ prompt: event, waiting: cutOffFor(context) }),
            },
          },
        ],
        "cancel.requested": { actions: ["note the cancel", "forward to all children"] },
        "owner.lost": { actions: "forward to all children" },
        "xstate.done.actor.run": { target: "idle", actions: "forget the run" },
        "xstate.error.actor.run": { target: "idle", actions: "forget the run" },
      },
    },
  },
});
