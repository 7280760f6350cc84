/**
 * A follower of a session hears why nothing more will come of it: it was deleted, or its log cannot be written.
 *
 * I1. Each follower hears it once, whenever it began to follow.
 * I2. A session that another process has deleted counts as deleted when this one looks at the store again: at once
 *     where few are followed, else at most so often, since others may commit many times a second.
 * I3. One that hears of faults otherwise hears of its session's deletion alone, also behind a fault.
 */
import { idOf, type Key } from "../../machines/model.ts";
import type { Timers } from "../base/clock.ts";
import { TroupeError } from "../errors/troupe-error.ts";

type Hear = (why: TroupeError) => void;
type Hearing = { hear: Hear; ofFaults: boolean };

/** So many are looked at with each commit of another process. */
const FEW = 4;
const OFTEN_MS = 250;

export class Endings {
  readonly #exists: (session: Key) => boolean;
  readonly #timers: Timers;
  readonly #hearing = new Map<Key, Set<Hearing>>();
  #isDue = false;
  constructor(exists: (session: Key) => boolean, timers: Timers) {
    this.#exists = exists;
    this.#timers = timers;
  }

  /** Calls `hear` at the session's end, until the answer is called. */
  of(session: Key, hear: Hear, { ofFaults = true }: { ofFaults?: boolean } = {}): () => void {
    const all = this.#hearing.get(session) ?? new Set();
    const one = { hear, ofFaults };
    this.#hearing.set(session, all.add(one));
    return () => {
      if (all.delete(one) && all.size === 0 && this.#hearing.get(session) === all) this.#hearing.delete(session);
    };
  }
  /** The log cannot be written, and these sessions wait for it. */
  fault(why: TroupeError, waits: (session: Key) => boolean): void {
    for (const session of [...this.#hearing.keys()])
      if (waits(session)) this.#tell(session, why, ({ ofFaults }) => ofFaults);
  }
  /** Looks which sessions are gone. */
  look(): void {
    if (this.#hearing.size <= FEW) return this.#look();
    if (this.#isDue) return;
    this.#isDue = true;
    this.#timers.after(OFTEN_MS, () => {
      this.#isDue = false;
      this.#look();
    });
  }
  #look(): void {
    for (const session of [...this.#hearing.keys()]) {
      if (this.#exists(session)) continue;
      const details = { session: idOf(session) };
      this.#tell(session, new TroupeError("USER.SESSION.UNKNOWN", "the session was deleted", details), () => true);
    }
  }
  #tell(session: Key, why: TroupeError, concerns: (one: Hearing) => boolean): void {
    const all = this.#hearing.get(session) ?? new Set();
    const told = [...all].filter(concerns);
    for (const one of told) all.delete(one);
    if (all.size === 0) this.#hearing.delete(session);
    for (const { hear } of told) hear(why);
  }
}
