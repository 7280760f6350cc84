/**
 * One run of a workflow. The reducer in `run/walk.ts` says where the document goes next; this machine says whether
 * it still may, and what stands around it: hooks, the final message, outputs.
 *
 * I1. `run.started` is its first row and `run.completed` its last; nothing of the run comes after.
 * I2. It ends after what it started has settled, also when it is cancelled.
 * I3. A cancel before the last row makes it cancelled; a second one disturbs nothing, cancel hooks included.
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
} from "./contracts.ts";
import type { Row } from "./exchange.ts";
import { type Born, COMPLETED, type Outcome, type Settled } from "./model.ts";
import { CANCELLED, endHooks, endRow, hooksAt, needsConcluding, originOf, startRow, warningRow } from "./run/rows.ts";
import { begin, type Move, NOWHERE, type RunBirth, type RunContext, scopeOf, settle } from "./run/walk.ts";
import { faultOf } from "./step/attempts.ts";
import { stepInput } from "./step/child-input.ts";
import { workflowReads } from "./workflow/reads.ts";

export type RunEvent = Control | DoneActorEvent<Settled | Concluded | HooksResult> | ErrorActorEvent;

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
    "was cancelled?": ({ context }) => context.position.outcome?.status === "cancelled",
    "has words to render?": ({ context }) => needsConcluding(context),
    "was cut off?": (_, p: { error: unknown }) => faultOf(p.error).code === "INTERRUPTED",
    "went well?": (_, p: { output: unknown }) => (p.output as HooksResult).fault === null,
  },
  actions: {
    "record the start": emit(({ context }): Row => startRow(context.birth)),
    "record the end": emit(({ context }): Row => endRow(context)),
    "carry out": enqueueActions(({ context: { birth }, enqueue }, { position, start, warnings }: Move) => {
      enqueue.assign({ position });
      for (const message of warnings) enqueue.emit(warningRow(birth, message));
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
      position: { ...context.position, current: null, outcome: p.outcome, message: null },
    })),
    "note the words": assign((_, p: { output: unknown }) => p.output as Concluded),
    "start the start hooks": spawnChild("hooks", {
      id: "hooks",
      input: ({ context }) => ({
        origin: originOf(context.birth, ""),
        hooks: context.birth.workflow.hooks.start,
        scope: scopeOf(context.birth, context.position),
        stopAtFailure: true,
      }),
    }),
    "start the end hooks": spawnChild("hooks", {
      id: "hooks",
      input: ({ context }) => endHooks(context),
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
  id: "run",
  version: "2",
  context: ({ input }) => ({ birth: input as RunBirth, position: NOWHERE, message: null, outputs: {} }),
  entry: "record the start",
  initial: "starting",
  states: {
    starting: {
      initial: "choosing",
      on: { "cancel.requested": "cancelling" },
      states: {
        choosing: { always: [{ guard: "has start hooks?", target: "hooking" }, { target: "#run.running" }] },
        hooking: {
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
        "owner.lost": { actions: "tell what runs" },
        "run.rested": { actions: "tell what runs" },
        "run.woken": { actions: "tell what runs" },
      },
    },
    cancelling: {
      entry: ["cancel what runs", { type: "note the outcome", params: { outcome: CANCELLED } }],
      on: { "xstate.done.actor.*": "concluding", "xstate.error.actor.*": "concluding" },
    },
    concluding: {
      initial: "choosing",
      on: { "cancel.requested": [{ guard: "was cancelled?" }, { target: "cancelling" }] },
      states: {
        choosing: { always: [{ guard: "has words to render?", target: "rendering" }, { target: "closing" }] },
        rendering: {
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
        closing: { always: [{ guard: "has end hooks?", target: "hooking" }, { target: "#run.ended" }] },
        hooking: {
          entry: "start the end hooks",
          on: { "xstate.done.actor.hooks": "#run.ended", "xstate.error.actor.hooks": "#run.ended" },
        },
        interrupted: {
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
    ended: { type: "final", entry: "record the end" },
  },
  output: ({ context }) => ({ outcome: context.position.outcome ?? COMPLETED, outputs: context.outputs }),
});
