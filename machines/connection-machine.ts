/**
 * One client's connection: the one place that knows what it has said, which sessions it has, and which prompts of
 * it run. Live only: an ordinary actor, never stored.
 *
 * I1. A session has at most one prompt in flight on a connection; a second one is not taken.
 * I2. Only sessions that the connection opened or loaded take prompts.
 * I3. The sets grow in place: a copy for each new session would cost the square of their number, and no earlier
 *     snapshot of a connection is ever looked at again.
 */
import { assign, setup } from "xstate";
import type { Json } from "./model.ts";

export type ClientFacts = { name: string | null; version: string | null; capabilities: Json };
export type ConnectionEvent =
  | { type: "client.initialized"; client: ClientFacts }
  | { type: "session.attached"; session: string }
  | { type: "session.detached"; session: string }
  | { type: "prompt.received"; session: string }
  | { type: "prompt.answered"; session: string }
  | { type: "connection.closed" };
type Context = { client: ClientFacts | null; sessions: Set<string>; prompts: Set<string> };

export const connectionMachine = setup({
  types: {} as { context: Context; events: ConnectionEvent },
  guards: {
    "takes a prompt?": ({ context: { sessions, prompts } }, p: { session: string }) =>
      sessions.has(p.session) && !prompts.has(p.session),
  },
  actions: {
    "note the client": assign((_, p: { client: ClientFacts }) => p),
    "attach the session": ({ context }, p: { session: string }) => void context.sessions.add(p.session),
    "detach the session": ({ context }, p: { session: string }) => void context.sessions.delete(p.session),
    "note the prompt": ({ context }, p: { session: string }) => void context.prompts.add(p.session),
    "forget the prompt": ({ context }, p: { session: string }) => void context.prompts.delete(p.session),
  },
}).createMachine({
  id: "connection",
  context: () => ({ client: null, sessions: new Set(), prompts: new Set() }),
  initial: "uninitialised",
  on: { "connection.closed": { description: "The client has gone.", target: ".closed" } },
  states: {
    uninitialised: {
      description: "The client has not said yet who it is.",
      on: {
        "client.initialized": {
          description: "The client says who it is and what it can do.",
          target: "initialised",
          actions: { type: "note the client", params: ({ event }) => ({ client: event.client }) },
        },
      },
    },
    initialised: {
      description: "Sessions come and go, and prompts run in them.",
      on: {
        "client.initialized": {
          actions: { type: "note the client", params: ({ event }) => ({ client: event.client }) },
        },
        "session.attached": {
          description: "The connection opened or loaded a session.",
          actions: { type: "attach the session", params: ({ event }) => ({ session: event.session }) },
        },
        "session.detached": {
          description: "The connection has no more to do with a session.",
          actions: { type: "detach the session", params: ({ event }) => ({ session: event.session }) },
        },
        "prompt.received": {
          description: "A prompt for one of its sessions.",
          guard: { type: "takes a prompt?", params: ({ event }) => ({ session: event.session }) },
          actions: { type: "note the prompt", params: ({ event }) => ({ session: event.session }) },
        },
        "prompt.answered": {
          description: "The prompt has its answer.",
          actions: { type: "forget the prompt", params: ({ event }) => ({ session: event.session }) },
        },
      },
    },
    closed: { description: "Nothing comes any more.", type: "final" },
  },
});
