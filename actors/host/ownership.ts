/**
 * Which sessions this process owns. A session is owned while something of it runs; the owner's name is in its row.
 *
 * I1. Taking, and taking over from a dead owner, happens inside the transaction of the tick that needs it.
 * I2. A session of another live process is never taken.
 * I3. It is released in the commit after which nothing of it runs: no work, no timer, no open question.
 * I4. A host that stops gives up what still runs: the next process takes it over.
 * I5. Each taking is an epoch. What is written to a session is written in the epoch in which it was taken: when another
 *     process has committed since, the transaction looks whether it still is that one. If not, the session is lost.
 */
import type { Key } from "../../machines/model.ts";
import { GIVEN_UP, type Storage } from "./storage.ts";

/** How processes are distinguished and known to live: `self` names this one. */
export type Owner = {
  self: string;
  /** Called before the name is written: from then on others can see that this one lives. Throws when they cannot. */
  prove(): void;
  /** False only for an owner that has surely died. */
  isAlive(owner: string): boolean;
  /** Hears, within its transaction, of a session that is given up. */
  onLeave?(session: Key): void;
  /** Its host has stopped: it owns nothing any more. */
  end?(): void;
};
/** `over`: it was taken from a process that died, and what that process ran is cut off. */
export type Taken = "own" | "new" | "over" | "refused" | "unknown";
/** `looked`: the doubt after which the row was read last. */
type Hold = { epoch: number; looked: number };
const FIRST_EPOCH = 1;

export class Ownership {
  readonly #store: Storage;
  readonly #owner: Owner;
  readonly #own = new Map<Key, Hold>();
  /** Taken in this tick. */
  readonly #fresh = new Set<Key>();
  /** Lost to another process, which was not reported yet (I5). */
  readonly #lost = new Set<Key>();
  /** Rises when another process has committed. */
  #doubts = 0;
  /** How much work runs in the sessions that were at rest when they were taken; of others only the store knows. */
  readonly #works = new Map<Key, number>();
  /** Sessions that this tick may have brought to rest. */
  readonly #touched = new Set<Key>();
  constructor(store: Storage, owner: Owner) {
    this.#store = store;
    this.#owner = owner;
  }

  get hasAny(): boolean {
    return this.#own.size > 0;
  }
  has(session: Key): boolean {
    return this.#own.has(session);
  }

  /** So much more work, or less, runs in a session. */
  works(session: Key, change: 1 | -1): void {
    const known = this.#works.get(session);
    if (known !== undefined) this.#works.set(session, known + change);
  }

  take(session: Key): Taken {
    if (this.holds(session)) {
      this.#touched.add(session);
      return "own";
    }
    if (this.#lost.has(session)) return "refused"; // first it gives up what it had of it
    this.#store.begin();
    this.#owner.prove();
    if (this.#takeFrom(session, null)) return this.#note(session, "new");
    const owner = this.#store.sessions.find(session)?.owner ?? null;
    if (owner === null) return "unknown";
    if (owner !== GIVEN_UP && this.#owner.isAlive(owner)) return "refused";
    this.#takeFrom(session, owner);
    return this.#note(session, "over");
  }
  #takeFrom(session: Key, owner: string | null): boolean {
    const epoch = this.#store.sessions.take(session, this.#owner.self, owner);
    if (epoch === undefined) return false;
    this.#hold(session, epoch);
    return true;
  }

  /** Another process has committed: what is known of the rows is in doubt. */
  doubt(): void {
    this.#doubts++;
  }
  /** Inside a transaction: whether the session is still its own (I5). */
  holds(session: Key): boolean {
    const hold = this.#own.get(session);
    if (hold === undefined) return false;
    if (hold.looked === this.#doubts) return true;
    const holder = this.#store.sessions.find(session);
    if (holder?.owner === this.#owner.self && holder.epoch === hold.epoch) {
      hold.looked = this.#doubts;
      return true;
    }
    this.#forget(session);
    this.#lost.add(session);
    return false;
  }
  /** What was lost and not reported yet. */
  get lost(): Key[] {
    return [...this.#lost];
  }
  /** The tick is committed: answers what was lost. */
  settle(): Key[] {
    const { lost } = this;
    this.#fresh.clear();
    this.#lost.clear();
    return lost;
  }

  /** A session that begins in this tick. False when there is one of this name. */
  open(session: Key, cwd: string, principal: string, at: number): boolean {
    this.#store.begin();
    this.#owner.prove();
    if (!this.#store.sessions.open(session, this.#owner.self, cwd, principal, at)) return false;
    this.#hold(session, FIRST_EPOCH);
    this.#note(session, "new");
    return true;
  }

  /** I3: for the end of a tick, inside its transaction. A session that `stays` has something to hear of that first. */
  releaseIdle(stays: (session: Key) => boolean): void {
    for (const session of this.#touched) if (!this.#runs(session) && !stays(session)) this.#leave(session, null);
    this.#touched.clear();
  }
  /** I4: for the last tick. */
  giveUp(): void {
    for (const session of this.#own.keys()) this.#leave(session, this.#store.sessions.runs(session) ? GIVEN_UP : null);
  }

  /** After a tick that was rolled back: what the store says is true. */
  reload(): void {
    for (const session of this.#fresh) this.#own.delete(session);
    const before = [...this.#own.keys()];
    for (const part of [this.#touched, this.#works, this.#own, this.#fresh]) part.clear();
    for (const { session, epoch } of this.#store.sessions.ownedBy(this.#owner.self)) this.#hold(session, epoch);
    this.#fresh.clear();
    for (const session of before) if (!this.#own.has(session)) this.#lost.add(session);
  }

  #leave(session: Key, owner: string | null): void {
    if (!this.holds(session)) return;
    const { epoch } = this.#own.get(session) as Hold;
    this.#forget(session);
    this.#store.begin();
    this.#store.sessions.leave(session, epoch, owner);
    this.#owner.onLeave?.(session);
  }
  #forget(session: Key): void {
    this.#own.delete(session);
    this.#works.delete(session);
  }
  #hold(session: Key, epoch: number): void {
    this.#own.set(session, { epoch, looked: this.#doubts });
    this.#fresh.add(session);
  }
  #runs(session: Key): boolean {
    return (this.#works.get(session) ?? 0) > 0 || this.#store.sessions.runs(session);
  }
  #note(session: Key, taken: Taken): Taken {
    if (taken === "new") this.#works.set(session, 0);
    this.#touched.add(session);
    return taken;
  }
}
