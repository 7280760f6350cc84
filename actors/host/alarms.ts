/**
 * The durable timers of the sessions that this process owns: rows in the store, one clock timeout for the earliest.
 *
 * I1. A timer fires only in the process that owns its session; one that came due meanwhile fires at once.
 * I2. Setting an id again replaces it; a cancelled id never fires.
 */
import type { EventObject } from "xstate";
import type { Key } from "../../machines/model.ts";
import type { Clock } from "../clock.ts";
import { Counts } from "./counts.ts";

export type Due = { key: Key; id: string; session: Key; event: EventObject };
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;

export class Alarms {
  readonly #clock: Pick<Clock, "now" | "after">;
  readonly #fire: (due: Due[]) => void;
  readonly #set = new Map<Key, Map<string, Due & { at: number }>>();
  readonly #held = new Counts();
  #cancel: (() => void) | undefined;
  #next = Number.POSITIVE_INFINITY;
  constructor(clock: Pick<Clock, "now" | "after">, fire: (due: Due[]) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  set(due: Due, at: number): void {
    this.clear(due.key, due.id);
    const ofKey = this.#set.get(due.key) ?? new Map<string, Due & { at: number }>();
    this.#set.set(due.key, ofKey.set(due.id, { ...due, at }));
    this.#held.add(due.session, 1);
    this.#arm(at);
  }
  clear(key: Key, id: string): void {
    const ofKey = this.#set.get(key);
    const due = ofKey?.get(id);
    if (ofKey === undefined || due === undefined) return;
    ofKey.delete(id);
    if (ofKey.size === 0) this.#set.delete(key);
    this.#held.add(due.session, -1);
  }
  /** True when the key had a timer. */
  clearKey(key: Key): boolean {
    const ofKey = this.#set.get(key);
    if (ofKey === undefined) return false;
    for (const id of [...ofKey.keys()]) this.clear(key, id);
    return true;
  }
  clearSession(session: Key): void {
    for (const ofKey of [...this.#set.values()]) {
      for (const due of [...ofKey.values()]) if (due.session === session) this.clear(due.key, due.id);
    }
  }
  /** Whether a session has timers: while it has one, its owner keeps it. */
  holds(session: Key): boolean {
    return this.#held.has(session);
  }
  stop(): void {
    this.#cancel?.();
    this.#set.clear();
    this.#held.clear();
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
    const all = [...this.#set.values()].flatMap((ofKey) => [...ofKey.values()]);
    const due = all.filter((d) => d.at <= now).sort((a, b) => a.at - b.at);
    for (const { key, id } of due) this.clear(key, id);
    if (due.length > 0) this.#fire(due);
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of all) if (at > now) next = Math.min(next, at);
    this.#arm(next);
  }
}
