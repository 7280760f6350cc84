/**
 * One question of yes or no kind. It waits for a decision, a time limit, or its owner's cancel.
 *
 * I1. Exactly one `permission.resolved` follows `permission.requested`, which comes again when somebody goes on after a
 *     crash: whoever was asked may be gone.
 * I2. Only an option that was offered decides; anything else is refused and changes nothing.
 */
import { assign, emit, setup } from "xstate";
import { NEVER } from "./address.ts";
import type { Control, PermissionInput, PermissionSettled } from "./births.ts";
import type { Row } from "./exchange.ts";
import { type Born, idOf } from "./model.ts";

export type PermissionEvent = Control | { type: "decision.made"; option: string } | { type: "asker.left" };
type Context = { birth: Born & PermissionInput; settled: PermissionSettled };

export const permissionMachine = setup({
  types: {} as {
    context: Context;
    input: Born & PermissionInput;
    events: PermissionEvent;
    emitted: Row;
    output: PermissionSettled;
  },
  delays: { limit: ({ context }) => context.birth.timeoutMs ?? NEVER },
  guards: {
    "was offered?": ({ context }, p: { option: string }) =>
      context.birth.options.some((option) => option.id === p.option),
  },
  actions: {
    "note the decision": assign((_, p: { option: string }) => ({
      settled: { outcome: "selected" as const, option: p.option },
    })),
    "record the question": emit(
      ({ context: { birth } }): Row => ({
        type: "permission.requested",
        ...(birth.run === null ? {} : { run: birth.run }),
        ...(birth.step === null ? {} : { step: birth.step }),
        payload: {
          permission: idOf(birth.self),
          title: birth.title,
          kind: birth.kind,
          message: birth.message,
          options: birth.options,
          ...(birth.input === null ? {} : { input: birth.input }),
        },
      }),
    ),
    "record the answer": emit(
      ({ context: { birth, settled } }): Row => ({
        type: "permission.resolved",
        ...(birth.run === null ? {} : { run: birth.run }),
        ...(birth.step === null ? {} : { step: birth.step }),
        payload: {
          permission: idOf(birth.self),
          outcome: settled.outcome,
          ...(settled.outcome === "selected" ? { option: settled.option } : {}),
        },
      }),
    ),
  },
}).createMachine({
  id: "permission",
  version: "1",
  context: ({ input }) => ({ birth: input, settled: { outcome: "cancelled" } }),
  entry: "record the question",
  initial: "open",
  states: {
    open: {
      after: { limit: "resolved" },
      on: {
        "decision.made": {
          guard: { type: "was offered?", params: ({ event }) => ({ option: event.option }) },
          target: "resolved",
          actions: { type: "note the decision", params: ({ event }) => ({ option: event.option }) },
        },
        // Who goes on after a crash may have answered with it: `rerun` and `fail` are options of that question.
        "resume.requested": [
          {
            guard: { type: "was offered?", params: ({ event }) => ({ option: event.recover }) },
            target: "resolved",
            actions: { type: "note the decision", params: ({ event }) => ({ option: event.recover }) },
          },
          { actions: "record the question" },
        ],
        "asker.left": "resolved",
        "cancel.requested": "resolved",
      },
    },
    resolved: { type: "final", entry: "record the answer" },
  },
  output: ({ context }) => context.settled,
});
