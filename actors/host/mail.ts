/** One event on its way to one key, and who waits for it. */
import type { EventObject } from "xstate";
import type { Key } from "../../machines/model.ts";
import type { Due } from "./alarms.ts";
import type { Delivery } from "./host.ts";
import type { Storage } from "./storage.ts";

export type Mail = {
  key: Key;
  event: EventObject;
  /** The machine that has sent it; only an observer asks for it, and mail that was written down has none. */
  from?: Key;
  /** The session of the key, where who posts it knows that. */
  session?: Key;
  /** For a birth. */
  input?: object;
  /** For a child's result: the start it belongs to. */
  nonce?: number;
  /** For a timer that came due. */
  timer?: Due;
  /** Its row in the store, when it was written down because its tick was cut. */
  row?: number;
  /** The letter that another process has left it in. */
  letter?: number;
  /** Taken once per key. */
  dedupe?: string;
  /** Callers outside; mail without them is the host's own. */
  done?: (delivery: Delivery) => void;
  failed?: (error: unknown) => void;
  delivery?: Delivery;
  /** Why this mail alone could not be carried out. */
  fault?: Error;
};

/**
 * Writes down mail whose tick was cut and answers its row. What a caller waits for is not promised yet; a timer and a
 * letter have rows of their own.
 */
export function keepMail(
  store: Storage,
  { key, event, nonce, done, timer, letter }: Mail,
  session: Key | undefined,
): number | undefined {
  if ([done, timer, letter].some((one) => one !== undefined) || session === undefined) return undefined;
  return store.mail.keep(session, { key, event: store.mask.hide(event), nonce: nonce ?? null });
}

/** Answers callers what became of their mail, after its commit. */
export function answer(settled: readonly Mail[]): void {
  for (const { fault, failed, done, delivery } of settled)
    if (fault === undefined) done?.(delivery ?? { accepted: true });
    else failed?.(fault);
}
