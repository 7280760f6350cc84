/**
 * The durable timers of the sessions that this process owns: rows in the store, one clock timeout for the earliest.
 *
 * I1. A timer fires only in the process that owns its session; one that came due meanwhile fires at once.
 * I2. Setting an id again replaces it; a cancelled or replaced one never fires, also when its mail is under way.
 */
import type { EventObject } from "xstate";
import type { Key } from "../../machines/model.ts";
import type { Clock } from "../clock.ts";

/** `at`: milliseconds since the epoch. */
export type Due = { key: Key; id: string; at: number; event: EventObject };
/** Longer timeouts fire at once in Node; a timer further away is looked at again. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export class Alarms {
  readonly #clock: Pick<Clock, "now" | "after">;
  readonly #fire: (due: Due) => void;
  readonly #set = new Map<Key, Map<string, Due>>();
  /** Those whose mail is under way. */
  readonly #fired = new WeakSet<Due>();
  #cancel: (() => void) | undefined;
  #next = Number.POSITIVE_INFINITY;
  constructor(clock: Pick<Clock, "now" | "after">, fire: (due: Due) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  set(due: Due): void {
    const ofKey = this.#set.get(due.key) ?? new Map<string, Due>();
    this.#set.set(due.key, ofKey.set(due.id, due));
    this.#arm(due.at);
  }
  /** True when it was set. */
  clear(key: Key, id: string): boolean {
    const ofKey = this.#set.get(key);
    if (ofKey?.delete(id) !== true) return false;
    if (ofKey.size === 0) this.#set.delete(key);
    return true;
  }
  /** True when the key had a timer. */
  clearKey(key: Key): boolean {
    return this.#set.delete(key);
  }
  /** Forgets the timers of some keys. */
  drop(whose: (key: Key) => boolean): void {
    for (const key of this.#set.keys()) if (whose(key)) this.#set.delete(key);
  }
  /** Ends a timer whose mail has arrived. False when it was cancelled or replaced meanwhile (I2). */
  take(due: Due): boolean {
    if (this.#set.get(due.key)?.get(due.id) !== due) return false;
    this.clear(due.key, due.id);
    return true;
  }
  /** Forgets all: nothing fires until it is set anew. */
  reset(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#set.clear();
    this.#next = Number.POSITIVE_INFINITY;
  }

  #arm(at: number): void {
    if (at >= this.#next) return;
    this.#cancel?.();
    this.#next = at;
    this.#cancel = this.#clock.after(Math.min(Math.max(0, at - this.#clock.now()), MAX_TIMEOUT_MS), () => this.#ring());
  }
  #ring(): void {
    this.#next = Number.POSITIVE_INFINITY;
    this.#cancel = undefined;
    const now = this.#clock.now();
    const waiting = [...this.#set.values()].flatMap((ofKey) => [...ofKey.values()]).filter((d) => !this.#fired.has(d));
    let next = Number.POSITIVE_INFINITY;
    for (const due of waiting.sort((a, b) => a.at - b.at)) {
      if (due.at > now) {
        next = due.at;
        break;
      }
      this.#fired.add(due);
      this.#fire(due);
    }
    this.#arm(next);
  }
}
