/**
 * A `for_each` or `while` state: the rounds of its body, one after the other or several at once. The reducer in
 * `loop/walk.ts` says where it goes next; this machine says whether it still may.
 *
 * I1. A round runs one state of the body at a time, and the loop settles after all that it has started.
 * I2. A verdict once given is not changed by what ends later; an outside cancel changes it. What ends after a cancel is
 *     not judged any more.
 * I3. Where a crash comes while the rest is being ended, what follows waits until the run is resumed.
 */
import { assign, type DoneActorEvent, type ErrorActorEvent, enqueueActions, sendTo, setup } from "xstate";
import { everyChild, slot } from "./address.ts";
import type { Control, LoopInput, StepInput } from "./contracts.ts";
import { DIED, HANDED_ON, HANDED_ON_AT_LAST, RESUMED } from "./control.ts";
import type { Row } from "./exchange.ts";
import { labelOf } from "./loop/label.ts";
import {
  fannedOf,
  type Move,
  mostRounds,
  OUTSIDE,
  type Position,
  type StateStart,
  scopeOf,
  type Warning,
} from "./loop/position.ts";
import { begin, cancelled, settle, settledAs } from "./loop/walk.ts";
import type { Born, Settled } from "./model.ts";
import { faultOf } from "./step/attempts.ts";
import { stepInput } from "./step/child-input.ts";

export type LoopEvent = Control | DoneActorEvent<Settled> | ErrorActorEvent;
type Context = { birth: Born & LoopInput; position: Position };

const loopSetup = setup({
  types: {} as { context: Context; input: Born & LoopInput; events: LoopEvent; emitted: Row; output: Settled },
  actors: { step: slot<StepInput, Settled>() },
  guards: {
    "is over?": ({ context }) => context.position.stage.is === "over",
    "is quiet?": ({ context }) => context.position.stage.is === "over" && context.position.open.length === 0,
  },
  actions: {
    "carry out": enqueueActions(({ context: { birth }, enqueue }, { position, starts, warnings }: Move) => {
      enqueue.assign({ position });
      for (const warning of warnings) enqueue.emit(notice(birth, warning));
      for (const start of starts)
        enqueue.spawnChild("step", { id: start.path, input: roundStep(birth, position, start) });
    }),
    "note the cancel": assign({ position: ({ context }) => cancelled(context.birth, context.position) }),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
    "forward to what runs": sendTo(everyChild, ({ event }) => event),
  },
});

const SETTLES = loopSetup.createStateConfig({
  on: {
    "xstate.done.actor.*": {
      actions: {
        type: "carry out",
        params: ({ context, event }) => settle(context.birth, context.position, event.actorId, event.output),
      },
    },
    "xstate.error.actor.*": {
      actions: {
        type: "carry out",
        params: ({ context, event }) => settle(context.birth, context.position, event.actorId, crashed(event.error)),
      },
    },
  },
}).on;

export const loopMachine = loopSetup.createMachine({
  id: "loop",
  version: "4",
  context: ({ input }) => ({
    birth: input,
    position: OUTSIDE,
  }),
  entry: { type: "carry out", params: ({ context }) => begin(context.birth) },
  initial: "iterating",
  states: {
    iterating: {
      description: "Rounds run, and others begin as there is room; the reducer says which states are next.",
      tags: "works",
      always: [
        { guard: "is quiet?", target: "ended" },
        { guard: "is over?", target: "stopping" },
      ],
      on: {
        ...SETTLES,
        "cancel.requested": { description: "The loop is to end.", target: "cancelling" },
        ...HANDED_ON,
      },
    },
    stopping: {
      description: "The verdict is known: rounds that still run are being ended.",
      tags: "stops",
      entry: "cancel what runs",
      always: { guard: "is quiet?", target: "ended" },
      on: { ...SETTLES, "cancel.requested": "cancelling", ...HANDED_ON, "owner.lost": DIED },
    },
    halted: {
      description: "A crash came while rounds were being ended: they end, and the loop waits.",
      tags: "cut off",
      on: { ...SETTLES, "cancel.requested": "cancelling", ...HANDED_ON, "resume.requested": RESUMED },
    },
    cancelling: {
      description: "It was cancelled: what runs is being ended.",
      tags: "stops",
      entry: ["note the cancel", "cancel what runs"],
      always: { guard: "is quiet?", target: "ended" },
      on: { ...SETTLES, ...HANDED_ON_AT_LAST },
    },
    ended: { description: "Its owner hears how it ended and which results it leaves.", type: "final" },
  },
  output: ({ context: { birth, position } }) => settledAs(birth, position),
});

/** The step that a round runs next. Rounds that run at once write into cards of their own. */
function roundStep(birth: LoopInput, { states }: Position, { round, name, path }: StateStart): StepInput {
  const { origin, nodes, keep, items } = birth;
  const fanned = fannedOf(birth);
  const input = stepInput({
    origin: { ...origin, step: path, parallel: origin.parallel || (fanned !== null && fanned.maxConcurrent !== 1) },
    name,
    nodes,
    scope: () => scopeOf(birth, fanned === null ? states : {}, round),
    keep,
  });
  if (items === null) return input;
  const label = labelOf(items[round.index] ?? null);
  return { ...input, round: { ...(label === null ? {} : { item: label }), of: mostRounds(birth) } };
}

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
