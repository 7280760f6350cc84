/**
 * One run of a workflow. The reducer in `run/walk.ts` says where the document goes next; this machine says whether
 * it still may, and what stands around it: hooks, the final message, outputs.
 *
 * I1. `run.started` is its first row and `run.completed` its last; nothing of the run comes after.
 * I2. It ends after the current step has settled, also when it is cancelled.
 */
import {
  assign,
  type DoneActorEvent,
  type ErrorActorEvent,
  emit,
  enqueueActions,
  sendTo,
  setup,
  spawnChild,
} from "xstate";
import { everyChild, slot } from "./address.ts";
import type {
  Concluded,
  ConcludeInput,
  Control,
  HooksInput,
  HooksResult,
  RunInput,
  RunSettled,
  StepInput,
} from "./births.ts";
import type { Row } from "./exchange.ts";
import { type Born, CANCELLED, COMPLETED, type Json, type Outcome, type Settled } from "./model.ts";
import { endRow, hooksAt, needsConcluding, originOf, startRow } from "./run/rows.ts";
import { begin, type Move, NOWHERE, type Position, scopeOf, settle } from "./run/walk.ts";
import { faultOf } from "./step/attempts.ts";
import { stepInput } from "./step/birth.ts";
import { workflowReads } from "./workflow/reads.ts";

export type RunEvent = Control | DoneActorEvent<Settled | Concluded | HooksResult> | ErrorActorEvent;
export type RunBirth = Born & RunInput & { self: `run/${string}` };
export type RunContext = {
  birth: RunBirth;
  position: Position;
  message: string | null;
  outputs: { [name: string]: Json };
};

export const runMachine = setup({
  types: {} as { context: RunContext; input: Born & RunInput; events: RunEvent; emitted: Row; output: RunSettled },
  actors: {
    step: slot<StepInput, Settled>(),
    conclude: slot<ConcludeInput, Concluded>(),
    hooks: slot<HooksInput, HooksResult>(),
  },
  guards: {
    "is over?": ({ context }) => context.position.outcome !== null,
    "has start hooks?": ({ context }) => context.birth.workflow.hooks.start.length > 0,
    "has end hooks?": ({ context }) => hooksAt(context).length > 0,
    "has words to render?": ({ context }) => needsConcluding(context),
    "was cut off?": (_, p: { error: unknown }) => faultOf(p.error).code === "INTERRUPTED",
    "went well?": (_, p: { output: unknown }) => (p.output as HooksResult).fault === null,
  },
  actions: {
    "record the start": emit(({ context }): Row => startRow(context.birth)),
    "record the end": emit(({ context }): Row => endRow(context)),
    "carry out": enqueueActions(({ context: { birth }, enqueue }, { position, start }: Move) => {
      enqueue.assign({ position });
      if (start === null) return;
      const origin = originOf(birth, start.path);
      const { states } = birth.workflow;
      enqueue.spawnChild("step", {
        id: start.path,
        input: stepInput({
          origin,
          name: start.name,
          nodes: states,
          scope: scopeOf(birth, position),
          keep: workflowReads(birth.workflow),
        }),
      });
    }),
    "note the outcome": assign(({ context }, p: { outcome: Outcome }) => ({
      position: { ...context.position, current: null, outcome: p.outcome },
    })),
    "note the words": assign((_, p: { output: unknown }) => p.output as Concluded),
    "start the start hooks": spawnChild("hooks", {
      id: "hooks",
      input: ({ context }) => ({
        origin: originOf(context.birth, ""),
        hooks: context.birth.workflow.hooks.start,
        scope: scopeOf(context.birth, context.position),
      }),
    }),
    "start the end hooks": spawnChild("hooks", {
      id: "hooks",
      input: ({ context }) => ({
        origin: originOf(context.birth, ""),
        hooks: hooksAt(context),
        scope: scopeOf(context.birth, context.position),
      }),
    }),
    "start concluding": spawnChild("conclude", {
      id: "conclude",
      input: ({ context }) => ({
        origin: originOf(context.birth, ""),
        message: context.position.message,
        outputs: context.position.outcome?.status === "completed" ? context.birth.workflow.outputs : {},
        scope: scopeOf(context.birth, context.position),
      }),
    }),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
    "tell what runs": sendTo(everyChild, ({ event }) => event),
  },
}).createMachine({
  id: "run.v1",
  context: ({ input }) => ({ birth: input as RunBirth, position: NOWHERE, message: null, outputs: {} }),
  entry: "record the start",
  initial: "starting",
  states: {
    starting: {
      initial: "choosing",
      on: { "cancel.requested": "cancelling" },
      states: {
        choosing: { always: [{ guard: "has start hooks?", target: "hooking" }, { target: "#run.v1.running" }] },
        hooking: {
          entry: "start the start hooks",
          on: {
            "xstate.done.actor.*": [
              {
                guard: { type: "went well?", params: ({ event }) => ({ output: event.output }) },
                target: "#run.v1.running",
              },
              {
                target: "#run.v1.concluding",
                actions: {
                  type: "note the outcome",
                  params: ({ event }) => ({
                    outcome: { status: "failed", exitCode: 1, error: faultOf((event.output as HooksResult).fault) },
                  }),
                },
              },
            ],
            "xstate.error.actor.*": "interrupted",
          },
        },
        interrupted: { on: { "resume.requested": "hooking" } },
      },
    },
    running: {
      entry: { type: "carry out", params: ({ context }) => begin(context.birth.workflow) },
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
        "resume.requested": { actions: "tell what runs" },
      },
    },
    cancelling: {
      entry: ["cancel what runs", { type: "note the outcome", params: { outcome: CANCELLED } }],
      on: { "xstate.done.actor.*": "concluding", "xstate.error.actor.*": "concluding" },
    },
    concluding: {
      initial: "choosing",
      states: {
        choosing: { always: [{ guard: "has words to render?", target: "rendering" }, { target: "closing" }] },
        rendering: {
          entry: "start concluding",
          on: {
            "xstate.done.actor.*": {
              target: "closing",
              actions: { type: "note the words", params: ({ event }) => ({ output: event.output }) },
            },
            "xstate.error.actor.*": [
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
        closing: { always: [{ guard: "has end hooks?", target: "hooking" }, { target: "#run.v1.ended" }] },
        hooking: {
          entry: "start the end hooks",
          on: { "xstate.done.actor.*": "#run.v1.ended", "xstate.error.actor.*": "#run.v1.ended" },
        },
        interrupted: { on: { "resume.requested": "rendering", "cancel.requested": "closing" } },
      },
    },
    ended: { type: "final", entry: "record the end" },
  },
  output: ({ context }) => ({ outcome: context.position.outcome ?? COMPLETED, outputs: context.outputs }),
});
