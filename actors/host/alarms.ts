/**
 * The durable timers of the sessions that this process owns: rows in the store, one clock timeout for the earliest.
 *
 * I1. A timer fires only in the process that owns its session; one that came due meanwhile fires at once.
 * I2. While this process lives a timer waits for its delay, whatever becomes of the machine's clock; only one that another
 *     process has set is due by the time of day.
 * I3. Setting an id again replaces it; a cancelled or replaced one never fires, also when its mail is under way.
 */
import type { EventObject } from "xstate";
import type { Key } from "../../machines/model.ts";
import type { Clock } from "../base/clock.ts";
import type { Storage } from "./storage.ts";

/** `at`: milliseconds since the epoch, as its row says. */
export type Due = { key: Key; id: string; at: number; event: EventObject };
/** However far away the next timer is, it is looked at again: a machine that slept may have let no time pass. */
export const LONGEST_SLEEP_MS = 60_000;
type Times = Pick<Clock, "now" | "elapsed" | "after">;

export class Alarms {
  readonly #clock: Times;
  readonly #fire: (due: Due) => void;
  readonly #set = new Map<Key, Map<string, Due>>();
  /** When each comes due, by the clock that does not jump. */
  #rings = new WeakMap<Due, number>();
  /** The same of those that were reset, by name: their rows may come back. */
  #before = new Map<string, number>();
  /** Those whose mail is under way. */
  readonly #fired = new WeakSet<Due>();
  #cancel: (() => void) | undefined;
  #next = Number.POSITIVE_INFINITY;
  constructor(clock: Times, fire: (due: Due) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  /** One that begins now and rings after so many milliseconds. */
  set(due: Due, delayMs: number): void {
    const ofKey = this.#set.get(due.key) ?? new Map<string, Due>();
    this.#set.set(due.key, ofKey.set(due.id, due));
    const rings = this.#clock.elapsed() + delayMs;
    this.#rings.set(due, rings);
    this.#arm(rings);
  }
  /** One of the store's. */
  restore(due: Due): void {
    const known = this.#before.get(nameOf(due));
    this.set(due, known === undefined ? due.at - this.#clock.now() : known - this.#clock.elapsed());
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
  /** Ends a timer whose mail has arrived. False when it was cancelled or replaced meanwhile (I3). */
  take(due: Due): boolean {
    if (this.#set.get(due.key)?.get(due.id) !== due) return false;
    this.clear(due.key, due.id);
    return true;
  }
  /** Forgets all: nothing fires until it is set anew. */
  reset(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const all = this.#all();
    // Reset twice before its rows came back: what is known is that of the first time.
    if (all.length > 0) this.#before = new Map(all.map((due) => [nameOf(due), this.#ringsAt(due)]));
    this.#set.clear();
    this.#next = Number.POSITIVE_INFINITY;
  }

  #all(): Due[] {
    return [...this.#set.values()].flatMap((ofKey) => [...ofKey.values()]);
  }
  #ringsAt(due: Due): number {
    return this.#rings.get(due) ?? 0;
  }
  #arm(rings: number): void {
    if (rings >= this.#next) return;
    this.#cancel?.();
    this.#next = rings;
    const ms = Math.min(Math.max(0, rings - this.#clock.elapsed()), LONGEST_SLEEP_MS);
    this.#cancel = this.#clock.after(ms, () => this.#ring());
  }
  #ring(): void {
    this.#next = Number.POSITIVE_INFINITY;
    this.#cancel = undefined;
    const now = this.#clock.elapsed();
    const waiting = this.#all().filter((due) => !this.#fired.has(due));
    let next = Number.POSITIVE_INFINITY;
    for (const due of waiting.sort((a, b) => this.#ringsAt(a) - this.#ringsAt(b))) {
      if (this.#ringsAt(due) > now) {
        next = this.#ringsAt(due);
        break;
      }
      this.#fired.add(due);
      this.#fire(due);
    }
    this.#arm(next);
  }
}

/** The stored timers of one session, or of all sessions of an owner. */
export const dueTimers = ({ timers, mask }: Storage, whose: { session: Key } | { owner: string }): Due[] =>
  timers.of(whose).map(({ key, id, due, event }) => ({ key, id, at: due, event: mask.reveal(event) as EventObject }));

const nameOf = ({ key, id, at }: Due): string => `${key} ${id} ${at}`;
