/**
 * One conversation. It owns the turn in flight and the run that turns may outlive.
 *
 * I1. At most one turn at a time: a prompt that arrives while one runs is not accepted.
 * I2. A run that a crash cut off goes on only when a prompt or a `resume` asks for it.
 * I3. The run and the turn end apart; the session is free again when the turn has ended.
 * I4. An answer that names its question is taken while that question is open, and changes nothing otherwise.
 */
import { assign, type DoneActorEvent, type ErrorActorEvent, emit, enqueueActions, sendTo, setup } from "xstate";
import { at, everyChild, slot } from "./address.ts";
import type { Ask, InputReport, Prompt, RunInput, RunSettled, SessionInput, TurnInput, TurnSettled } from "./births.ts";
import type { Row } from "./exchange.ts";
import type { InputEvent } from "./input-machine.ts";
import { type Born, idOf, type Key } from "./model.ts";
import { meaningOf, type Waiting } from "./session/meaning.ts";
import { faultOf } from "./step/attempts.ts";
import type { TurnReport } from "./turn-machine.ts";

export type SessionEvent =
  | ({ type: "prompt.received" } & Prompt)
  | { type: "cancel.requested" }
  | { type: "owner.lost" }
  /** Nothing of the session runs any more, and no time limit is set. */
  | { type: "host.quiet" }
  | InputReport
  | TurnReport
  | DoneActorEvent<TurnSettled | RunSettled>
  | ErrorActorEvent;
/** `cancelled`: the turn in flight was cancelled, maybe before its run was asked for. */
export type SessionContext = {
  birth: Born & SessionInput;
  turns: number;
  isTitled: boolean;
  run: { workflow: string } | null;
  cancelled: boolean;
  /** The questions that wait for a person, oldest first. */
  inputs: Key[];
};

export const sessionMachine = setup({
  types: {} as { context: SessionContext; input: Born & SessionInput; events: SessionEvent; emitted: Row },
  actors: { turn: slot<TurnInput, TurnSettled>(), run: slot<RunInput, RunSettled>() },
  guards: {
    "has a run?": ({ context }) => context.run !== null,
    "waits for a person?": ({ context }) => context.run !== null && context.inputs.length > 0,
    "names an open question?": (_, p: { asks: Prompt["asks"]; open: Key[] }) =>
      p.asks.type !== "answer" || (p.asks.input !== undefined && p.open.includes(p.asks.input)),
  },
  actions: {
    "record the opening": emit(
      ({ context: { birth } }): Row => ({
        type: "session.opened",
        payload: { cwd: birth.cwd, principal: birth.principal },
      }),
    ),
    "start a turn": enqueueActions(({ context, enqueue }, p: { prompt: Prompt; waiting: Waiting["for"] }) => {
      const { turn, blocks } = p.prompt;
      const workflow = context.run?.workflow ?? "";
      const ask: Ask = meaningOf(p.prompt, { for: p.waiting, workflow });
      const answered = ask.type === "answer" ? (ask.input ?? context.inputs[0]) : undefined;
      const inputs = context.inputs.filter((key) => key !== answered);
      const title = context.isTitled ? "" : (p.prompt.title ?? "");
      enqueue.assign({
        turns: context.turns + 1,
        isTitled: context.isTitled || title !== "",
        cancelled: false,
        inputs,
      });
      if (title !== "") enqueue.emit({ type: "session.updated", payload: { title } });
      enqueue.spawnChild("turn", {
        id: "turn",
        input: { turn, blocks, ask, session: idOf(context.birth.self), cwd: context.birth.cwd },
      });
      if (ask.type === "resume") enqueue.sendTo("run", { type: "resume.requested", recover: ask.recover });
      if (ask.type === "answer" && answered !== undefined)
        enqueue.sendTo(at<InputEvent>(answered), { type: "input.answered", text: ask.text });
    }),
    "start the run": enqueueActions(({ context, enqueue }, p: { input: RunInput }) => {
      enqueue.assign({ run: { workflow: p.input.workflow.name } });
      enqueue.spawnChild("run", { id: "run", input: p.input });
      if (context.cancelled) enqueue.sendTo("run", { type: "cancel.requested" });
    }),
    "note the question": assign(({ context }, p: { input: Key }) => ({ inputs: [...context.inputs, p.input] })),
    "forget the question": assign(({ context }, p: { input: Key }) => ({
      inputs: context.inputs.filter((key) => key !== p.input),
    })),
    "tell the turn it is parked": sendTo("turn", { type: "run.parked" }),
    "note the cancel": assign({ cancelled: true }),
    "forget the run": assign({ run: null, inputs: [] }),
    "tell the turn": sendTo("turn", (_, p: { settled: RunSettled }) => ({ type: "run.settled", settled: p.settled })),
    "tell everyone": sendTo(everyChild, ({ event }) => event),
  },
}).createMachine({
  id: "session",
  version: "1",
  context: ({ input }) => ({ birth: input, turns: 0, isTitled: false, run: null, cancelled: false, inputs: [] }),
  entry: "record the opening",
  on: {
    "input.opened": { actions: { type: "note the question", params: ({ event }) => ({ input: event.input }) } },
    "input.closed": { actions: { type: "forget the question", params: ({ event }) => ({ input: event.input }) } },
  },
  initial: "idle",
  states: {
    idle: {
      on: {
        "prompt.received": {
          guard: { type: "names an open question?", params: ({ event }) => ({ asks: event.asks, open: [] }) },
          target: "prompted",
          actions: { type: "start a turn", params: ({ event }) => ({ prompt: event, waiting: "nothing" }) },
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
        "xstate.done.actor.turn": [
          { guard: "waits for a person?", target: "parked" },
          { guard: "has a run?", target: "interrupted" },
          { target: "idle" },
        ],
        "xstate.error.actor.turn": [{ guard: "has a run?", target: "interrupted" }, { target: "idle" }],
        // Nobody is left to wait for but a person: one who is asked, or one who may go on with what was cut off.
        "host.quiet": { guard: "has a run?", actions: "tell the turn it is parked" },
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
    // The run waits for a person and costs a row: the next prompt is the answer.
    parked: {
      on: {
        "prompt.received": {
          guard: {
            type: "names an open question?",
            params: ({ context, event }) => ({ asks: event.asks, open: context.inputs }),
          },
          target: "prompted",
          actions: { type: "start a turn", params: ({ event }) => ({ prompt: event, waiting: "answer" }) },
        },
        "cancel.requested": { actions: "tell everyone" },
        "xstate.done.actor.run": { target: "idle", actions: "forget the run" },
        "xstate.error.actor.run": { target: "idle", actions: "forget the run" },
      },
    },
    interrupted: {
      on: {
        "prompt.received": {
          guard: { type: "names an open question?", params: ({ event }) => ({ asks: event.asks, open: [] }) },
          target: "prompted",
          actions: { type: "start a turn", params: ({ event }) => ({ prompt: event, waiting: "resume" }) },
        },
        "cancel.requested": { actions: "tell everyone" },
        "xstate.done.actor.run": { target: "idle", actions: "forget the run" },
        "xstate.error.actor.run": { target: "idle", actions: "forget the run" },
      },
    },
  },
});
