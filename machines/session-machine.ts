/**
 * One conversation. It owns the turn in flight and the run that turns may outlive.
 *
 * I1. At most one turn at a time: a prompt that arrives while one runs is not accepted.
 * I2. A run that a crash cut off goes on only when a prompt or a `resume` asks for it.
 * I3. The run and the turn end apart; the session is free again when the turn has ended.
 */
import { assign, type DoneActorEvent, type ErrorActorEvent, emit, enqueueActions, sendTo, setup } from "xstate";
import { everyChild, slot } from "./address.ts";
import type { Ask, Prompt, RunInput, RunSettled, SessionInput, TurnInput, TurnSettled } from "./births.ts";
import type { Row } from "./exchange.ts";
import { type Born, idOf } from "./model.ts";
import { meaningOf } from "./session/meaning.ts";
import { faultOf } from "./step/attempts.ts";
import type { TurnReport } from "./turn-machine.ts";

export type SessionEvent =
  | ({ type: "prompt.received" } & Prompt)
  | { type: "cancel.requested" }
  | { type: "owner.lost" }
  | TurnReport
  | DoneActorEvent<TurnSettled | RunSettled>
  | ErrorActorEvent;
/** `cancelled`: the turn in flight was cancelled, maybe before its run was asked for. */
export type SessionContext = {
  birth: Born & SessionInput;
  turns: number;
  run: { workflow: string } | null;
  cancelled: boolean;
};

export const sessionMachine = setup({
  types: {} as { context: SessionContext; input: Born & SessionInput; events: SessionEvent; emitted: Row },
  actors: { turn: slot<TurnInput, TurnSettled>(), run: slot<RunInput, RunSettled>() },
  guards: { "has a run?": ({ context }) => context.run !== null },
  actions: {
    "record the opening": emit(
      ({ context: { birth } }): Row => ({
        type: "session.opened",
        payload: { cwd: birth.cwd, principal: birth.principal },
      }),
    ),
    "start a turn": enqueueActions(({ context, enqueue }, p: { prompt: Prompt; interrupted: boolean }) => {
      const { turn, blocks, asks } = p.prompt;
      const ask: Ask = meaningOf(asks, p.interrupted ? context.run : null);
      enqueue.assign({ turns: context.turns + 1, cancelled: false });
      enqueue.spawnChild("turn", {
        id: "turn",
        input: { turn, blocks, ask, session: idOf(context.birth.self), cwd: context.birth.cwd },
      });
      if (ask.type === "resume") enqueue.sendTo("run", { type: "resume.requested", recover: ask.recover });
    }),
    "start the run": enqueueActions(({ context, enqueue }, p: { input: RunInput }) => {
      enqueue.assign({ run: { workflow: p.input.workflow.name } });
      enqueue.spawnChild("run", { id: "run", input: p.input });
      if (context.cancelled) enqueue.sendTo("run", { type: "cancel.requested" });
    }),
    "note the cancel": assign({ cancelled: true }),
    "forget the run": assign({ run: null }),
    "tell the turn": sendTo("turn", (_, p: { settled: RunSettled }) => ({ type: "run.settled", settled: p.settled })),
    "tell everyone": sendTo(everyChild, ({ event }) => event),
  },
}).createMachine({
  id: "session",
  version: "1",
  context: ({ input }) => ({ birth: input, turns: 0, run: null, cancelled: false }),
  entry: "record the opening",
  initial: "idle",
  states: {
    idle: {
      on: {
        "prompt.received": {
          target: "prompted",
          actions: { type: "start a turn", params: ({ event }) => ({ prompt: event, interrupted: false }) },
        },
      },
    },
    prompted: {
      on: {
        "run.requested": { actions: { type: "start the run", params: ({ event }) => ({ input: event.input }) } },
        "xstate.done.actor.run": {
          actions: [
            "forget the run",
            { type: "tell the turn", params: ({ event }) => ({ settled: event.output as RunSettled }) },
          ],
        },
        "xstate.error.actor.run": {
          actions: [
            "forget the run",
            {
              type: "tell the turn",
              params: ({ event }) => ({
                settled: { outcome: { status: "failed", exitCode: 4, error: faultOf(event.error) }, outputs: {} },
              }),
            },
          ],
        },
        "xstate.done.actor.turn": [{ guard: "has a run?", target: "interrupted" }, { target: "idle" }],
        "xstate.error.actor.turn": [{ guard: "has a run?", target: "interrupted" }, { target: "idle" }],
        "cancel.requested": { actions: ["note the cancel", "tell everyone"] },
        "owner.lost": { target: "abandoned", actions: "tell everyone" },
      },
    },
    // The process of the turn has died: the turn ends, and what it had still to ask for is not begun (I2).
    abandoned: {
      on: {
        "xstate.done.actor.run": {
          actions: [
            "forget the run",
            { type: "tell the turn", params: ({ event }) => ({ settled: event.output as RunSettled }) },
          ],
        },
        "xstate.error.actor.run": { actions: "forget the run" },
        "xstate.done.actor.turn": [{ guard: "has a run?", target: "interrupted" }, { target: "idle" }],
        "xstate.error.actor.turn": [{ guard: "has a run?", target: "interrupted" }, { target: "idle" }],
        "cancel.requested": { actions: "tell everyone" },
      },
    },
    interrupted: {
      on: {
        "prompt.received": {
          target: "prompted",
          actions: { type: "start a turn", params: ({ event }) => ({ prompt: event, interrupted: true }) },
        },
        "cancel.requested": { actions: "tell everyone" },
        "xstate.done.actor.run": { target: "idle", actions: "forget the run" },
        "xstate.error.actor.run": { target: "idle", actions: "forget the run" },
      },
    },
  },
});
