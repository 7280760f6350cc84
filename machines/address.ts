/** How durable machines name each other: a child is an actor slot, any other machine is a key. */
import { type ActorRef, type EventObject, fromPromise, type Snapshot } from "xstate";
import type { Key } from "./model.ts";

/** A named hole for a child the host supplies: another keyed machine, or an effect. It never runs inside XState. */
export const slot = <TInput, TOutput>() =>
  fromPromise<TOutput, TInput>(() => Promise.reject(new Error("a slot is carried out by the host")));

/** Who `sendTo` may name besides a child: a key, or every child that still runs. */
export type Target = { key: Key } | { every: "child" };

/** `sendTo` wants an actor ref; in a durable machine an address is a key. The interpreter reads `key` back. */
export const at = <TEvent extends EventObject>(key: Key) => ({ key }) as unknown as ActorRef<Snapshot<unknown>, TEvent>;

/** Addresses all children at once: the host knows them, so a machine keeps no list. An effect hears it as its abort signal. */
export const everyChild = { every: "child" } as unknown as ActorRef<Snapshot<unknown>, EventObject>;

/** The timer that only limits other work: where it alone is left, nothing runs. */
export const LIMIT = "limit";

/** A delay that never comes due. A delay function that returned undefined would fire AT ONCE. */
export const NEVER = Number.POSITIVE_INFINITY;
