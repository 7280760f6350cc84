/**
 * A `for_each` or `while` state: its body, one state at a time. The reducer in `loop/walk.ts` says where it goes
 * next; this machine says whether it still may.
 *
 * I1. At most one body state runs at a time, and the loop settles after it.
 * I2. A cancel ends the loop after the running state has settled; its result is not judged any more.
 */
import { assign, type DoneActorEvent, type ErrorActorEvent, enqueueActions, sendTo, setup } from "xstate";
import { everyChild, slot } from "./address.ts";
import type { Control, LoopInput, StepInput } from "./contracts.ts";
import { HANDED_ON } from "./control.ts";
import type { Row } from "./exchange.ts";
import { begin, type Move, OUTSIDE, type Position, scopeOf, settle, type Warning } from "./loop/walk.ts";
import { type Born, CANCELLED, COMPLETED, type Settled } from "./model.ts";
import { faultOf } from "./step/attempts.ts";
import { stepInput } from "./step/child-input.ts";

export type LoopEvent = Control | DoneActorEvent<Settled> | ErrorActorEvent;
type Context = { birth: Born & LoopInput; position: Position };

export const loopMachine = setup({
  types: {} as { context: Context; input: Born & LoopInput; events: LoopEvent; emitted: Row; output: Settled },
  actors: { step: slot<StepInput, Settled>() },
  guards: { "is over?": ({ context }) => context.position.outcome !== null },
  actions: {
    "carry out": enqueueActions(({ context: { birth }, enqueue }, move: Move) => {
      enqueue.assign({ position: move.position });
      for (const warning of move.warnings) enqueue.emit(notice(birth, warning));
      if (move.start === null) return;
      const { name, path } = move.start;
      enqueue.spawnChild("step", {
        id: path,
        input: stepInput({
          origin: { ...birth.origin, step: path },
          name,
          nodes: birth.nodes,
          scope: scopeOf(birth, move.position),
          keep: birth.keep,
        }),
      });
    }),
    "note the cancel": assign({ position: ({ context }) => ({ ...context.position, outcome: CANCELLED }) }),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
    "tell what runs": sendTo(everyChild, ({ event }) => event),
  },
}).createMachine({
  id: "loop",
  version: "2",
  context: ({ input }) => ({
    birth: input,
    position: OUTSIDE,
  }),
  entry: { type: "carry out", params: ({ context }) => begin(context.birth) },
  initial: "iterating",
  states: {
    iterating: {
      description: "A state of the body runs; the reducer says which one is next.",
      tags: "works",
      always: { guard: "is over?", target: "ended" },
      on: {
        "xstate.done.actor.*": {
          actions: {
            type: "carry out",
            params: ({ context, event }) => settle(context.birth, context.position, event.output),
          },
        },
        "xstate.error.actor.*": {
          actions: {
            type: "carry out",
            params: ({ context, event }) => settle(context.birth, context.position, crashed(event.error)),
          },
        },
        "cancel.requested": { description: "The loop is to end.", target: "cancelling" },
        ...HANDED_ON,
      },
    },
    cancelling: {
      description: "The state that runs is being ended.",
      tags: "stops",
      entry: ["note the cancel", "cancel what runs"],
      on: { "xstate.done.actor.*": "ended", "xstate.error.actor.*": "ended" },
    },
    ended: { description: "Its owner hears how it ended and which results it leaves.", type: "final" },
  },
  output: ({ context: { position } }) => ({
    outcome: position.outcome ?? COMPLETED,
    left: position.left,
    states: position.states,
  }),
});

const crashed = (error: unknown): Settled => ({
  outcome: { status: "failed", exitCode: 1, error: faultOf(error) },
  left: null,
  states: {},
});

const notice = ({ origin }: LoopInput, warning: Warning): Row => ({
  type: "notice",
  run: origin.run,
  step: origin.step,
  payload: { severity: "warning", ...warning },
});
