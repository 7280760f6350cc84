/**
 * Tiny durable machines for tests of a host: every way in which a machine can ask something of its host, and a
 * `notice` row for each thing that it hears.
 */
import {
  type AnyStateMachine,
  assign,
  createMachine,
  type DoneActorEvent,
  type ErrorActorEvent,
  emit,
  enqueueActions,
  sendTo,
  setup,
  spawnChild,
  stopChild,
} from "xstate";
import { at, everyChild, slot } from "../../machines/address.ts";
import type { Row } from "../../machines/exchange.ts";
import type { Born, Key, Kind } from "../../machines/model.ts";
import { codeOf, type JobInput, permissionMachine, stepMachine } from "./host-children.ts";

export type SessionEvent =
  | { type: "note.taken"; text: string }
  | { type: "echo.asked"; text: string }
  | { type: "work.asked"; label: string }
  | { type: "work.dropped" | "work.restarted" | "work.forked" | "retry.asked" }
  | { type: "alarm.set"; ms: number }
  | { type: "alarm.dropped" | "cancel.requested" | "owner.lost" | "question.asked" }
  | { type: "child.asked"; label: string; breaks?: "at birth" }
  | { type: "child.dropped" }
  | { type: "child.told"; event: { type: string } }
  | { type: "work.noted"; text: string }
  | { type: "failure.asked" | "guard.asked" }
  | DoneActorEvent<unknown>
  | ErrorActorEvent;
type Context = { birth: Born; label: string; ms: number; attempts: number };

const told = (message: string): Row => ({ type: "notice", payload: { severity: "info", message } });

export const sessionMachine = setup({
  types: {} as { context: Context; input: Born; events: SessionEvent; emitted: Row },
  actors: {
    job: slot<JobInput, unknown>(),
    step: slot<{ label: string; breaks: string | null }, string>(),
    permission: slot<object, string>(),
  },
  delays: { alarm: ({ context }) => context.ms },
  guards: {
    "throws?": () => {
      throw new Error("a guard broke");
    },
    "echoes?": ({ context }) => context.label === "echo",
    "may try again?": ({ context }) => context.attempts < 2,
  },
  actions: {
    tell: emit((_, p: { message: string }) => told(p.message)),
    "break down": assign(() => {
      throw new Error("an assign broke");
    }),
    "note the label": assign((_, p: { label: string }) => p),
    "note the alarm": assign((_, p: { ms: number }) => p),
    "count the attempt": assign(({ context }) => ({ attempts: context.attempts + 1 })),
    "forget the attempts": assign({ attempts: 0 }),
    "send to itself": sendTo(
      ({ context }) => at(context.birth.self),
      (_, p: { text: string }) => ({ type: "note.taken", text: p.text }),
    ),
    "tell everyone": sendTo(everyChild, ({ event }) => event),
    "tell the child": sendTo("child", (_, p: { event: { type: string } }) => p.event),
    "start a child": enqueueActions(({ enqueue }, p: { label: string; breaks: string | null }) => {
      enqueue.spawnChild("step", { id: "child", input: p });
    }),
    "drop the child": stopChild("child"),
    "ask a question": spawnChild("permission", { id: "question", input: {} }),
    "start two jobs": enqueueActions(({ enqueue }) => {
      enqueue.spawnChild("job", { id: "left", input: { label: "left" } });
      enqueue.spawnChild("job", { id: "right", input: { label: "right" } });
    }),
  },
}).createMachine({
  id: "session",
  version: "1",
  context: ({ input }) => ({ birth: input, label: "", ms: 0, attempts: 0 }),
  entry: { type: "tell", params: { message: "born" } },
  initial: "idle",
  on: {
    "note.taken": { actions: { type: "tell", params: ({ event }) => ({ message: event.text }) } },
    "work.noted": { actions: { type: "tell", params: ({ event }) => ({ message: `noted ${event.text}` }) } },
    "echo.asked": { actions: { type: "send to itself", params: ({ event }) => ({ text: event.text }) } },
    "cancel.requested": { actions: "tell everyone" },
    "owner.lost": { actions: { type: "tell", params: { message: "owner lost" } } },
    "failure.asked": { actions: "break down" },
    "guard.asked": { guard: "throws?", actions: "break down" },
    "child.asked": {
      actions: {
        type: "start a child",
        params: ({ event }) => ({ label: event.label, breaks: event.breaks ?? null }),
      },
    },
    "child.told": { actions: { type: "tell the child", params: ({ event }) => ({ event: event.event }) } },
    "child.dropped": { actions: "drop the child" },
    "question.asked": { actions: "ask a question" },
    "work.forked": { actions: "start two jobs" },
    "xstate.done.actor.*": {
      actions: {
        type: "tell",
        params: ({ event }) => ({ message: `${event.actorId} done: ${String(event.output)}` }),
      },
    },
    "xstate.error.actor.*": {
      actions: { type: "tell", params: ({ event }) => ({ message: `${event.actorId} failed: ${codeOf(event)}` }) },
    },
  },
  states: {
    idle: {
      on: {
        "work.asked": {
          target: "working",
          actions: { type: "note the label", params: ({ event }) => ({ label: event.label }) },
        },
        "alarm.set": {
          target: "waiting",
          actions: { type: "note the alarm", params: ({ event }) => ({ ms: event.ms }) },
        },
        "retry.asked": { target: "trying", actions: "forget the attempts" },
      },
    },
    working: {
      invoke: {
        id: "job",
        src: "job",
        input: ({ context }) => ({ label: context.label }),
        onDone: [
          {
            guard: "echoes?",
            target: "idle",
            actions: { type: "send to itself", params: ({ event }) => ({ text: `echo of ${String(event.output)}` }) },
          },
          {
            target: "idle",
            actions: { type: "tell", params: ({ event }) => ({ message: `job done: ${String(event.output)}` }) },
          },
        ],
        onError: {
          target: "idle",
          actions: { type: "tell", params: ({ event }) => ({ message: `job failed: ${codeOf(event)}` }) },
        },
      },
      on: { "work.dropped": "idle", "work.restarted": { target: "working", reenter: true } },
    },
    trying: {
      entry: "count the attempt",
      invoke: {
        id: "job",
        src: "job",
        input: ({ context }) => ({ label: `attempt ${context.attempts}` }),
        onDone: {
          target: "idle",
          actions: { type: "tell", params: ({ event }) => ({ message: `job done: ${String(event.output)}` }) },
        },
        onError: [
          {
            guard: "may try again?",
            target: "trying",
            reenter: true,
            actions: { type: "tell", params: ({ event }) => ({ message: `again after ${codeOf(event)}` }) },
          },
          {
            target: "idle",
            actions: { type: "tell", params: ({ event }) => ({ message: `job failed: ${codeOf(event)}` }) },
          },
        ],
      },
    },
    waiting: {
      after: { alarm: { target: "idle", actions: { type: "tell", params: { message: "rang" } } } },
      on: {
        "alarm.dropped": "idle",
        "alarm.set": {
          target: "waiting",
          reenter: true,
          actions: { type: "note the alarm", params: ({ event }) => ({ ms: event.ms }) },
        },
      },
    },
  },
});

export type Machines = readonly (readonly [Kind, AnyStateMachine])[];
export const MACHINES: Machines = [
  ["session", sessionMachine],
  ["step", stepMachine],
  ["permission", permissionMachine],
];
/** As a later version of Troupe has them: the session says that it is one, and what its context knows. */
export const newer = (machines: Machines): Machines =>
  machines.map(([kind, machine]) => (kind === "session" ? [kind, laterSession()] : [kind, machine]));
const laterSession = (): AnyStateMachine => {
  const { implementations, config } = sessionMachine;
  const tell = emit(({ context }, p: { message: string }) =>
    told(`${p.message} (later${"memory" in context ? ", upcast" : ""})`),
  );
  return createMachine(
    { ...config, version: "10" } as never,
    { ...implementations, actions: { ...implementations.actions, tell } } as never,
  ) as AnyStateMachine;
};
export const BIRTH = { cwd: "/", principal: "tester" };
export const sessionKey = (name: string): Key => `session/${name}`;
