/** What a session's dead owner had in hand: mail it had not delivered, work it had started, timers it had set. */
import type { EventObject } from "xstate";
import type { Key } from "../../machines/model.ts";
import { type Alarms, dueTimers } from "./alarms.ts";
import { INTERRUPTED, OWNER_LOST } from "./host.ts";
import type { Mail } from "./mail.ts";
import type { Storage } from "./storage.ts";
import { failure } from "./workers.ts";

/**
 * The mail that brings a session's machines up to date, in order: what was left undelivered, that its owner is
 * lost, and a failure for each piece of work that was cut off. Timers are armed; overdue ones fire at once.
 * What others had left for the owner is refused.
 */
export function takeOver(store: Storage, session: Key, alarms: Alarms): Mail[] {
  store.letters.refuse(session);
  for (const due of dueTimers(store, { session })) alarms.restore(due);
  const left = store.mail.of(session).map(
    ({ row, key, event, nonce }): Mail => ({
      key,
      row,
      event: store.mask.reveal(event) as EventObject,
      ...(nonce === null ? {} : { nonce }),
    }),
  );
  const cutOff = store.works
    .of(session)
    .map(({ key, id, nonce }): Mail => ({ key, nonce, event: failure(id, INTERRUPTED) }));
  return [...left, { key: session, event: { type: OWNER_LOST } }, ...cutOff];
}
