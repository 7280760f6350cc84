/**
 * One run of a workflow. The reducer in `run/walk.ts` says where the document goes next; this machine says whether
 * it still may, and what stands around it: hooks, the final message, outputs.
 *
 * I1. `run.started` is its first row and `run.completed` its last; nothing of the run comes after.
 * I2. It ends after what it started has settled, also when it is cancelled.
 * I3. A cancel before the last row makes it cancelled; a second one disturbs nothing, cancel hooks included.
 */
import type { HooksResult } from "./contracts.ts";
import { HANDED_ON, HANDED_ON_AT_LAST } from "./control.ts";
import type { Settled } from "./model.ts";
import { isolating, offering, settling, unmade, unsettled } from "./run/isolating.ts";
import { CANCELLED } from "./run/rows.ts";
import { runSetup } from "./run/vocabulary.ts";
import { begin, NOWHERE, outcomeOf, type RunBirth, settle } from "./run/walk.ts";
import { faultOf } from "./step/attempts.ts";

export const runMachine = runSetup.createMachine({
  id: "run",
  version: "5",
  context: ({ input }) => ({ birth: input as RunBirth, position: NOWHERE, message: null, outputs: {} }),
  entry: "record the start",
  initial: "starting",
  states: {
    starting: {
      description: "What comes before the first state of the document.",
      initial: "choosing",
      on: { "cancel.requested": { description: "The run is to end.", target: "cancelling" } },
      states: {
        choosing: {
          description: "Does it need a tree of its own, and has the workflow hooks for its start?",
          always: [
            { guard: "needs a git step?", target: "isolating" },
            { guard: "has start hooks?", target: "hooking" },
            { target: "#run.running" },
          ],
        },
        isolating,
        unmade,
        hooking: {
          description: "The hooks of the start run; one that fails ends the run.",
          tags: "works",
          entry: "start the start hooks",
          on: {
            "xstate.done.actor.hooks": [
              {
                guard: { type: "went well?", params: ({ event }) => ({ output: event.output }) },
                target: "#run.running",
              },
              {
                target: "#run.concluding",
                actions: {
                  type: "note the outcome",
                  params: ({ event }) => ({
                    outcome: { status: "failed", exitCode: 1, error: faultOf((event.output as HooksResult).fault) },
                  }),
                },
              },
            ],
            "xstate.error.actor.hooks": [
              {
                guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) },
                target: "interrupted",
              },
              {
                target: "#run.concluding",
                actions: {
                  type: "note the outcome",
                  params: ({ event }) => ({ outcome: { status: "failed", exitCode: 1, error: faultOf(event.error) } }),
                },
              },
            ],
          },
        },
        interrupted: {
          description: "A crash cut the hooks off.",
          tags: "cut off",
          on: {
            "resume.requested": "hooking",
            "cancel.requested": {
              target: "#run.concluding",
              actions: { type: "note the outcome", params: { outcome: CANCELLED } },
            },
          },
        },
      },
    },
    running: {
      description: "A state of the document runs; the reducer says which one is next.",
      tags: "works",
      entry: { type: "carry out", params: ({ context }) => begin(context.birth.workflow, context.birth.taken) },
      always: { guard: "is over?", target: "concluding" },
      on: {
        "xstate.done.actor.*": {
          actions: {
            type: "carry out",
            params: ({ context, event }) => settle(context.birth, context.position, event.output as Settled),
          },
        },
        "xstate.error.actor.*": {
          target: "concluding",
          actions: {
            type: "note the outcome",
            params: ({ event }) => ({ outcome: { status: "failed", exitCode: 1, error: faultOf(event.error) } }),
          },
        },
        "cancel.requested": "cancelling",
        ...HANDED_ON,
      },
    },
    cancelling: {
      description: "What runs is being ended.",
      tags: "stops",
      entry: ["cancel what runs", { type: "note the outcome", params: { outcome: CANCELLED } }],
      on: {
        // What it has made is seen to after the end.
        "xstate.done.actor.tree": {
          target: "concluding",
          actions: { type: "note the git step", params: ({ event }) => ({ output: event.output }) },
        },
        "xstate.done.actor.*": {
          target: "concluding",
          actions: { type: "keep what it left", params: ({ event }) => ({ output: event.output }) },
        },
        "xstate.error.actor.*": "concluding",
        ...HANDED_ON_AT_LAST,
      },
    },
    concluding: {
      description: "What comes after the last state of the document.",
      initial: "choosing",
      on: { "cancel.requested": [{ guard: "was cancelled?" }, { target: "cancelling" }] },
      states: {
        choosing: {
          description: "Is there anything to render?",
          always: [{ guard: "has words to render?", target: "rendering" }, { target: "closing" }],
        },
        rendering: {
          description: "The last message and the outputs are rendered.",
          tags: "works",
          entry: "start concluding",
          on: {
            "xstate.done.actor.conclude": {
              target: "closing",
              actions: { type: "note the words", params: ({ event }) => ({ output: event.output }) },
            },
            "xstate.error.actor.conclude": [
              {
                guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) },
                target: "interrupted",
              },
              {
                target: "closing",
                actions: {
                  type: "note the outcome",
                  params: ({ event }) => ({ outcome: { status: "failed", exitCode: 1, error: faultOf(event.error) } }),
                },
              },
            ],
          },
        },
        closing: {
          description: "Has its tree to be seen to, and has the workflow hooks for this end?",
          always: [
            { guard: "asks about its tree?", target: "offering" },
            { guard: "has a git step left?", target: "settling" },
            { guard: "has end hooks?", target: "hooking" },
            { target: "#run.ended" },
          ],
        },
        settling,
        offering,
        unsettled,
        hooking: {
          description: "The hooks of this end run; their failures change nothing.",
          tags: "works",
          entry: "start the end hooks",
          on: {
            "xstate.done.actor.hooks": "#run.ended",
            "xstate.error.actor.hooks": [
              { guard: { type: "was cut off?", params: ({ event }) => ({ error: event.error }) }, target: "unhooked" },
              { target: "#run.ended" },
            ],
          },
        },
        unhooked: {
          description: "A crash cut the hooks of this end off: they run again, and only then does its caller go on.",
          tags: "cut off",
          on: {
            "resume.requested": "hooking",
            "cancel.requested": [
              { guard: "was cancelled?", target: "#run.ended" },
              { target: "closing", actions: { type: "note the outcome", params: { outcome: CANCELLED } } },
            ],
          },
        },
        interrupted: {
          description: "A crash cut the rendering off.",
          tags: "cut off",
          on: {
            "resume.requested": "rendering",
            "cancel.requested": {
              target: "closing",
              actions: { type: "note the outcome", params: { outcome: CANCELLED } },
            },
          },
        },
      },
    },
    ended: {
      description: "Its last row is written, and its owner hears how it ended.",
      type: "final",
      tags: "kept",
      entry: "record the end",
    },
  },
  output: ({ context }) => ({ outcome: outcomeOf(context.position), outputs: context.outputs }),
});
