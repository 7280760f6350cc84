/** What a session's dead owner had in hand: mail it had not delivered, work it had started, timers it had set. */
import type { EventObject } from "xstate";
import type { Key } from "../../machines/model.ts";
import { type Alarms, dueTimers } from "./alarms.ts";
import { INTERRUPTED } from "./host.ts";
import type { Mail } from "./mail.ts";
import type { Storage } from "./storage.ts";
import { failure, type Which } from "./workers.ts";

/**
 * The mail of a tick that was cut, in order: with it what the owner had begun is done as it would have done it. Timers are
 * armed; overdue ones fire at once. What others had left for the owner is refused.
 */
export function takeOver(store: Storage, session: Key, alarms: Alarms): Mail[] {
  store.letters.refuse(session);
  for (const due of dueTimers(store, { session })) alarms.restore(due);
  return store.mail.of(session).map(
    ({ row, key, event, nonce }): Mail => ({
      key,
      row,
      event: store.mask.reveal(event) as EventObject,
      ...(nonce === null ? {} : { nonce }),
    }),
  );
}

/** The mail by which the machines of a session hear what was cut off. */
export const cutOff = (works: readonly Which[]): Mail[] =>
  works.map(({ key, id, nonce }): Mail => ({ key, nonce, event: failure(id, INTERRUPTED) }));
