/** What a session's dead owner had in hand: mail it had not delivered, work it had started, timers it had set. */
import type { EventObject } from "xstate";
import type { Key } from "../../machines/model.ts";
import type { Alarms } from "./alarms.ts";
import { INTERRUPTED, OWNER_LOST } from "./host.ts";
import { refuseLetters } from "./letters.ts";
import type { Mail } from "./mail.ts";
import type { Store } from "./store.ts";
import { failure } from "./workers.ts";

/**
 * The mail that brings a session's machines up to date, in order: what was left undelivered, that its owner is
 * lost, and a failure for each piece of work that was cut off. Timers are armed; overdue ones fire at once.
 * What others had left for the owner is refused.
 */
export function takeOver(store: Store, session: Key, alarms: Alarms): Mail[] {
  const { sql, mask } = store;
  const event = (json: unknown): EventObject => mask.reveal(json as string) as EventObject;
  refuseLetters(store, session);
  for (const due of store.timers({ session })) alarms.restore(due);
  const left = sql.mails.all(session).map(
    (m): Mail => ({
      key: m["key"] as Key,
      event: event(m["event"]),
      row: m["id"] as number,
      ...(m["nonce"] === null ? {} : { nonce: m["nonce"] as number }),
    }),
  );
  const cutOff = sql.works.all(session).map(
    (w): Mail => ({
      key: w["key"] as Key,
      event: failure(w["id"] as string, INTERRUPTED),
      nonce: w["nonce"] as number,
    }),
  );
  return [...left, { key: session, event: { type: OWNER_LOST } }, ...cutOff];
}
