/** The tiny machines that the session of `host-machines.ts` has below it. */
import { assign, type DoneActorEvent, type ErrorActorEvent, sendTo, setup } from "xstate";
import { everyChild, slot } from "../../machines/address.ts";
import type { Row } from "../../machines/exchange.ts";
import type { Born, Fault } from "../../machines/model.ts";

/** What the work `job` is asked: `label` names it for the test that answers it. */
export type JobInput = { label: string };
export const codeOf = (event: unknown): string => (event as { error: Fault }).error.code;

type StepEvent =
  | { type: "cancel.requested" | "failure.asked" | "end.asked" }
  | DoneActorEvent<unknown>
  | ErrorActorEvent;

/** A child that runs one job of its own, ends with its result, and breaks where it is asked to. */
export const stepMachine = setup({
  types: {} as {
    context: { birth: Born & { label: string }; result: string };
    input: Born & { label: string; breaks: string | null };
    events: StepEvent;
    emitted: Row;
    output: string;
  },
  actors: { job: slot<JobInput, unknown>() },
  actions: {
    "tell everyone": sendTo(everyChild, ({ event }) => event),
    "break down": assign(() => {
      throw Object.assign(new Error("a child broke"), { code: "TEST.BROKEN" });
    }),
    "note the result": assign((_, p: { result: string }) => p),
  },
}).createMachine({
  id: "step",
  version: "1",
  context: ({ input }) => {
    if (input.breaks === "at birth") throw Object.assign(new Error("stillborn"), { code: "TEST.STILLBORN" });
    return { birth: input, result: "nothing" };
  },
  initial: "working",
  on: { "failure.asked": { actions: "break down" } },
  states: {
    working: {
      invoke: {
        id: "job",
        src: "job",
        input: ({ context }) => ({ label: context.birth.label }),
        onDone: {
          target: "ended",
          actions: { type: "note the result", params: ({ event }) => ({ result: String(event.output) }) },
        },
        onError: {
          target: "ended",
          actions: { type: "note the result", params: ({ event }) => ({ result: codeOf(event) }) },
        },
      },
      on: { "cancel.requested": { actions: "tell everyone" }, "end.asked": "ended" },
    },
    ended: { type: "final" },
  },
  output: ({ context }) => context.result,
});

/** A question: it needs the one who was asked, so its session stays where it is. */
export const permissionMachine = setup({
  types: {} as {
    context: { birth: Born };
    input: Born;
    events: { type: "decision.made" };
    output: string;
  },
}).createMachine({
  id: "permission",
  version: "1",
  context: ({ input }) => ({ birth: input }),
  initial: "open",
  states: { open: { on: { "decision.made": "resolved" } }, resolved: { type: "final" } },
  output: "yes",
});
