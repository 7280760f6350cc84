/**
 * Which sessions this process owns. A session is owned while something of it runs; the owner's name is in its row.
 *
 * I1. Taking, and taking over from a dead owner, happens inside the transaction of the tick that needs it.
 * I2. A session of another live process is never taken.
 * I3. It is released in the commit after which nothing of it runs: no work, no timer, no open question.
 * I4. A host that stops gives up what still runs: whoever comes next takes it over.
 */
import type { Key } from "../../machines/model.ts";
import type { Store } from "./store.ts";

/** How processes are told apart and known to live: `self` names this one, with its start time. */
export type Owner = {
  self: string;
  isAlive(owner: string): boolean;
  /** Hears, within its transaction, of a session that is given up. */
  onLeave?(session: Key): void;
};
/** `over`: it was taken from a process that died, and what that process ran is cut off. */
export type Taken = "own" | "new" | "over" | "refused" | "unknown";
/** The owner of a session whose host was stopped while something of it ran. */
export const GIVEN_UP = "stopped";

export class Ownership {
  readonly #store: Store;
  readonly #owner: Owner;
  #own = new Set<Key>();
  /** How much work runs in the sessions that were at rest when they were taken; of others only the store knows. */
  readonly #works = new Map<Key, number>();
  /** Sessions that this tick may have brought to rest. */
  readonly #touched = new Set<Key>();
  constructor(store: Store, owner: Owner) {
    this.#store = store;
    this.#owner = owner;
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
    if (this.#own.has(session)) return this.#note(session, "own");
    this.#store.begin();
    const { sql } = this.#store;
    const { self } = this.#owner;
    if (Number(sql.take.run(self, session, null).changes) === 1) return this.#note(session, "new");
    const row = sql.owner.get(session);
    if (row === undefined) return "unknown";
    const owner = row["owner"] as string;
    if (owner !== GIVEN_UP && this.#owner.isAlive(owner)) return "refused";
    sql.take.run(self, session, owner);
    return this.#note(session, "over");
  }

  /** A session that begins in this tick. False when there is one of this name. */
  open(session: Key, cwd: string, principal: string, at: number): boolean {
    this.#store.begin();
    const { sql } = this.#store;
    if (Number(sql.open.run(session, this.#owner.self, cwd, principal, at).changes) === 0) return false;
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
    for (const session of this.#own) this.#leave(session, this.#store.runs(session) ? GIVEN_UP : null);
  }

  /** After a tick that was rolled back: what the store says is true. */
  reload(): void {
    this.#touched.clear();
    this.#works.clear();
    this.#own = new Set(this.#store.sql.owned.all(this.#owner.self).map((row) => row["id"] as Key));
  }

  #leave(session: Key, owner: string | null): void {
    if (!this.#own.delete(session)) return;
    this.#works.delete(session);
    this.#store.begin();
    this.#store.sql.leave.run(owner, session);
    this.#owner.onLeave?.(session);
  }
  #runs(session: Key): boolean {
    return (this.#works.get(session) ?? 0) > 0 || this.#store.runs(session);
  }
  #note(session: Key, taken: Taken): Taken {
    if (taken === "new") this.#works.set(session, 0);
    this.#own.add(session);
    this.#touched.add(session);
    return taken;
  }
}
