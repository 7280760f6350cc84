/**
 * One client's connection: the one place that knows what the client has said of itself. Live only: an ordinary actor,
 * never stored.
 *
 * I1. What is known of a client is what it said last; a connection that has ended takes nothing in.
 */
import { assign, setup } from "xstate";
import type { Json } from "./model.ts";

export type ClientFacts = { name: string | null; version: string | null; capabilities: Json };
export type ConnectionEvent = { type: "client.initialized"; client: ClientFacts } | { type: "connection.closed" };
type Context = { client: ClientFacts | null };

export const connectionMachine = setup({
  types: {} as { context: Context; events: ConnectionEvent },
  actions: { "note the client": assign((_, p: { client: ClientFacts }) => p) },
}).createMachine({
  id: "connection",
  context: { client: null },
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
      description: "It is known who the client is and what it can do.",
      on: {
        "client.initialized": {
          actions: { type: "note the client", params: ({ event }) => ({ client: event.client }) },
        },
      },
    },
    closed: { description: "Nothing comes any more.", type: "final" },
  },
});
