/**
 * One `session/prompt`: from the user's message to a stop reason. It asks for trust where that is needed and asks
 * its session for the run; a run may outlive it.
 *
 * I1. `turn.completed` is its last row, exactly one.
 * I2. Nothing is started before the workspace is trusted.
 * I3. Its stop reason is `cancelled` only where a cancel came, or its process was lost. A no, or a limit, that stopped its
 *     run or kept it from beginning is a `refusal`, with the reason.
 * I4. One that ends without a run says why.
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
import { at, everyChild, slot } from "./address.ts";
import type {
  Ask,
  Control,
  PermissionInput,
  PermissionSettled,
  RunInput,
  RunSettled,
  TrustInput,
  TurnInput,
  TurnSettled,
} from "./births.ts";
import type { Row, StopReason } from "./exchange.ts";
import type { Born, Fault, Json, Key } from "./model.ts";
import { faultOf } from "./step/attempts.ts";
import { CANCELLED, INTERRUPTED, NOBODY, REFUSED, UNANSWERED } from "./turn/faults.ts";
import { ONCE, trustQuestion, unbegunRow } from "./turn/trust.ts";

export type TurnEvent =
  | Control
  | { type: "run.settled"; settled: RunSettled }
  | { type: "run.parked" }
  | DoneActorEvent<PermissionSettled | Json>
  | ErrorActorEvent;
/** What a turn tells its session. */
export type TurnReport = { type: "run.requested"; input: RunInput };
type Context = { birth: Born & TurnInput; stopReason: StopReason; fault: Fault | null };

export const turnMachine = setup({
  types: {} as { context: Context; input: Born & TurnInput; events: TurnEvent; emitted: Row; output: TurnSettled },
  actors: { permission: slot<PermissionInput, PermissionSettled>(), trust: slot<TrustInput, null>() },
  guards: {
    "asks for?": ({ context }, p: { type: Ask["type"] }) => context.birth.ask.type === p.type,
    "is trusted?": ({ context: { birth } }) => birth.ask.type === "run" && birth.ask.trust === "trusted",
    "may be asked?": ({ context: { birth } }) => birth.ask.type === "run" && birth.ask.trust.startsWith("ask"),
    "says yes?": (_, p: { output: unknown }) =>
      (p.output as PermissionSettled).outcome === "selected" && (p.output as { option: string }).option === "trust",
    "says once?": (_, p: { output: unknown }) =>
      (p.output as PermissionSettled).outcome === "selected" && (p.output as { option: string }).option === ONCE,
    "says no?": (_, p: { output: unknown }) => (p.output as PermissionSettled).outcome === "selected",
  },
  actions: {
    "record the start": emit(
      ({ context: { birth } }): Row => ({ type: "turn.started", payload: { turn: birth.turn } }),
    ),
    "record the prompt": emit(
      ({ context: { birth } }): Row => ({ type: "message.user", payload: { turn: birth.turn, blocks: birth.blocks } }),
    ),
    explain: emit(
      ({ context: { birth } }): Row => ({
        type: "message.assistant",
        payload: {
          block: `${birth.turn}#explanation`,
          offset: 0,
          text: birth.ask.type === "explain" ? birth.ask.text : "",
        },
      }),
    ),
    "explain the fault": emit(
      ({ context: { birth, fault } }): Row => ({
        type: "message.assistant",
        payload: { block: `${birth.turn}#fault`, offset: 0, text: fault?.message ?? "" },
      }),
    ),
    "record the run that never began": enqueueActions(({ context: { birth, ...end }, enqueue }) => {
      const row = unbegunRow(birth, end);
      if (row !== null) enqueue.emit(row);
    }),
    "record the end": emit(
      ({ context: { birth, stopReason, fault } }): Row => ({
        type: "turn.completed",
        payload: { turn: birth.turn, stopReason, ...(fault === null ? {} : { error: fault }) },
      }),
    ),
    "note the end": assign((_, p: { stopReason: StopReason; fault: Fault | null }) => p),
    "note the explanation": assign(({ context: { birth } }) =>
      birth.ask.type === "explain" ? { stopReason: birth.ask.stopReason, fault: birth.ask.fault } : {},
    ),
    "ask for trust": spawnChild("permission", {
      id: "permission",
      input: ({ context }) => trustQuestion(context.birth),
    }),
    "remember the trust": spawnChild("trust", { id: "trust", input: ({ context }) => ({ cwd: context.birth.cwd }) }),
    "ask for the run": sendTo(
      ({ context }) => at<TurnReport>(context.birth.parent as Key),
      ({ context: { birth } }): TurnReport => ({ type: "run.requested", input: runInput(birth) }),
    ),
    "cancel what runs": sendTo(everyChild, { type: "cancel.requested" }),
  },
}).createMachine({
  id: "turn",
  version: "1",
  context: ({ input }) => ({ birth: input, stopReason: "end_turn", fault: null }),
  entry: ["record the start", "record the prompt"],
  initial: "choosing",
  states: {
    choosing: {
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
        { target: "refused", actions: { type: "note the end", params: { stopReason: "refusal", fault: NOBODY } } },
      ],
    },
    asking: {
      entry: "ask for trust",
      on: {
        "xstate.done.actor.*": [
          { guard: { type: "says yes?", params: ({ event }) => ({ output: event.output }) }, target: "granting" },
          { guard: { type: "says once?", params: ({ event }) => ({ output: event.output }) }, target: "requesting" },
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
        "xstate.error.actor.*": {
          target: "refused",
          actions: {
            type: "note the end",
            params: ({ event }) => ({ stopReason: "refusal", fault: faultOf(event.error) }),
          },
        },
        "cancel.requested": {
          target: "withdrawing",
          actions: { type: "note the end", params: { stopReason: "cancelled", fault: CANCELLED } },
        },
        "owner.lost": {
          target: "withdrawing",
          actions: { type: "note the end", params: { stopReason: "cancelled", fault: INTERRUPTED } },
        },
      },
    },
    withdrawing: {
      entry: "cancel what runs",
      on: { "xstate.done.actor.*": "refused", "xstate.error.actor.*": "refused" },
    },
    granting: {
      entry: "remember the trust",
      on: {
        "xstate.done.actor.*": "requesting",
        "xstate.error.actor.*": {
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
    requesting: { entry: "ask for the run", always: "running" },
    running: {
      on: {
        "run.parked": "ended",
        "run.settled": {
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
    refused: { always: { target: "ended", actions: ["explain the fault", "record the run that never began"] } },
    ended: { type: "final", entry: "record the end" },
  },
  output: ({ context }) => ({ stopReason: context.stopReason }),
});

function runInput({ ask, session, turn }: TurnInput): RunInput {
  if (ask.type !== "run") throw new Error(`a ${ask.type} prompt asks for no run`);
  const { run, workflow, inputs, env, context } = ask;
  return { id: run, workflow, inputs, env, context, session, turn, parentRun: null, parallel: false, depth: 0 };
}
