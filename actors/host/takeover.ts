/** What a session's dead owner had in hand: mail it had not delivered, work it had started, timers it had set. */
import type { EventObject } from "xstate";
import type { Key } from "../../machines/model.ts";
import { type Alarms, dueTimers } from "./alarms.ts";
import { INTERRUPTED, OWNER_LOST } from "./host.ts";
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

/**
 * The mail that brings a session's machines up to date after that: its owner is lost, and each piece of work has failed
 * that was cut off, or that was `begun` by what was left.
 */
export const cutOff = (store: Storage, session: Key, begun: readonly Which[]): Mail[] => [
  { key: session, event: { type: OWNER_LOST } },
  ...[...store.works.of(session), ...begun].map(
    ({ key, id, nonce }): Mail => ({ key, nonce, event: failure(id, INTERRUPTED) }),
  ),
];
