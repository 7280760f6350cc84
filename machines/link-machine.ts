/**
 * A client's way to its agent: found, lost, and found again. Live only: an ordinary actor, never stored.
 *
 * I1. Nothing but `initialize`, and what restores its sessions, is asked before it is ready.
 * I2. After a loss it waits before it tries again, longer each time; being ready once begins the count anew.
 * I3. It gives up after `attempts` tries in a row that failed, before it was ever ready after `first` of them, or at
 *     once at what no further try can mend.
 * I4. Closed is for good.
 */
import { assign, fromPromise, setup } from "xstate";
import type { Fault } from "./model.ts";

export type LinkFault = Fault & {
  /** No further try can mend it: a program that is not there, a version that is not spoken. */
  isFinal: boolean;
};
export type LinkInput = {
  /** How many tries in a row may fail after the first one. */
  attempts: number;
  /** How many of them until it is ready for the first time; the same where nothing is said. */
  first?: number;
  /** The shortest and the longest wait between two tries, in milliseconds. */
  baseMs: number;
  maxMs: number;
};
export type LinkEvent = { type: "link.closed" };
type Context = LinkInput & {
  /** Tries in a row that have failed. */
  failed: number;
  wasReady: boolean;
  fault: LinkFault | null;
};

/** The longest wait after so many failed tries; jitter only shortens it. */
export const backoffMs = ({ baseMs, maxMs, failed }: Pick<Context, "baseMs" | "maxMs" | "failed">): number =>
  Math.min(maxMs, baseMs * 2 ** Math.max(0, failed - 1));

const UNKNOWN: LinkFault = { code: "SYSTEM.CLIENT.EOF", message: "the connection was lost", isFinal: false };
const faultOf = (error: unknown): LinkFault =>
  typeof error === "object" && error !== null && "isFinal" in error ? (error as LinkFault) : UNKNOWN;

/** A slot for work: the program that runs the machine provides it. A failure is a `LinkFault`. */
const slot = () => fromPromise<unknown>(() => Promise.reject(UNKNOWN));

export const linkMachine = setup({
  types: {} as { context: Context; events: LinkEvent; input: LinkInput },
  actors: {
    /** Makes a connection. */
    open: slot(),
    /** Says the first words on it. */
    initialize: slot(),
    /** Takes up again the sessions that the client has. */
    restore: slot(),
    /** Fails when the connection is lost. */
    watch: slot(),
  },
  delays: { backoff: ({ context }) => backoffMs(context) },
  guards: {
    "tries again?": ({ context: { failed, attempts, first = attempts, wasReady, fault } }) =>
      failed <= (wasReady ? attempts : first) && fault?.isFinal !== true,
  },
  actions: {
    "note the loss": assign(({ context }, { fault }: { fault: LinkFault }) => ({ fault, failed: context.failed + 1 })),
    "forget the losses": assign({ failed: 0, fault: null, wasReady: true }),
  },
}).createMachine({
  id: "link",
  context: ({ input }) => ({ ...input, failed: 0, wasReady: false, fault: null }),
  initial: "connecting",
  on: { "link.closed": { description: "The link is no longer wanted.", target: ".closed" } },
  states: {
    connecting: {
      description: "A way to the agent is opened.",
      tags: "works",
      invoke: {
        id: "open",
        src: "open",
        onDone: "initializing",
        onError: {
          target: "lost",
          actions: { type: "note the loss", params: ({ event }) => ({ fault: faultOf(event.error) }) },
        },
      },
    },
    initializing: {
      description: "Both sides say who they are.",
      tags: "works",
      invoke: {
        id: "initialize",
        src: "initialize",
        onDone: "restoring",
        onError: {
          target: "lost",
          actions: { type: "note the loss", params: ({ event }) => ({ fault: faultOf(event.error) }) },
        },
      },
    },
    restoring: {
      description: "The sessions of a lost connection are loaded again.",
      tags: "works",
      invoke: {
        id: "restore",
        src: "restore",
        onDone: "ready",
        onError: {
          target: "lost",
          actions: { type: "note the loss", params: ({ event }) => ({ fault: faultOf(event.error) }) },
        },
      },
    },
    ready: {
      description: "Requests pass; a loss is watched for.",
      tags: "works",
      entry: "forget the losses",
      invoke: {
        id: "watch",
        src: "watch",
        onError: {
          target: "lost",
          actions: { type: "note the loss", params: ({ event }) => ({ fault: faultOf(event.error) }) },
        },
      },
    },
    lost: {
      description: "Is another try worth it?",
      tags: "tries again",
      always: [{ guard: "tries again?", target: "backing off" }, { target: "closed" }],
    },
    "backing off": {
      description: "It waits before the next try, longer each time.",
      tags: "tries again",
      after: { backoff: "connecting" },
    },
    closed: { description: "The link has ended for good.", type: "final" },
  },
});
