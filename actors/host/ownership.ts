/**
 * Which sessions this process owns. A session is owned while something of it runs; the owner's name is in its row.
 *
 * I1. Taking, and taking over from a dead owner, happens inside the transaction of the tick that needs it.
 * I2. A session of another live process is never taken.
 * I3. It is released in the commit after which nothing of it runs: no work, no timer, no open question.
 */
import type { Key } from "../../machines/model.ts";
import type { Store } from "./store.ts";

/** How processes are told apart and known to live: `self` names this one, with its start time. */
export type Owner = { self: string; isAlive(owner: string): boolean };
/** `over`: it was taken from a process that died, and what that process ran is cut off. */
export type Taken = "own" | "new" | "over" | "refused" | "unknown";

export class Ownership {
  readonly #store: Store;
  readonly #owner: Owner;
  readonly #own = new Set<Key>();
  constructor(store: Store, owner: Owner) {
    this.#store = store;
    this.#owner = owner;
  }

  has(session: Key): boolean {
    return this.#own.has(session);
  }

  take(session: Key): Taken {
    if (this.#own.has(session)) return "own";
    this.#store.begin();
    const { sql } = this.#store;
    const { self } = this.#owner;
    if (Number(sql.take.run(self, session, null).changes) === 1) return this.#note(session, "new");
    const row = sql.owner.get(session);
    if (row === undefined) return "unknown";
    const owner = row["owner"] as string;
    if (owner === self) return this.#note(session, "own"); // forgotten with a tick that could not be written
    if (this.#owner.isAlive(owner)) return "refused";
    sql.take.run(self, session, owner);
    return this.#note(session, "over");
  }

  /** A session that begins in this tick. */
  open(session: Key, cwd: string, principal: string, at: number): void {
    this.#store.begin();
    this.#store.sql.open.run(session, this.#owner.self, cwd, principal, at);
    this.#own.add(session);
  }

  release(session: Key): void {
    if (!this.#own.delete(session)) return;
    this.#store.begin();
    this.#store.sql.release.run(session);
  }

  /** After a tick that was rolled back: nothing it took is certain. */
  forget(session: Key): void {
    this.#own.delete(session);
  }

  #note(session: Key, taken: Taken): Taken {
    this.#own.add(session);
    return taken;
  }
}
