/**
 * How a host waits while another process writes to the store: off the event loop, a little longer each time, and not
 * for ever.
 *
 * I1. While others commit, the store is busy but not stuck: who waits has longer for its turn.
 * I2. A host that stops lets who waits have its turn, or its error: nobody waits for ever.
 */
import type { Storage } from "./storage.ts";
import type { Timeouts } from "./timeouts.ts";

/** How long, in milliseconds, a caller waits for a store to which nobody commits before it gets an error. */
export const BUSY_LIMIT_MS = 10_000;
/** How long it waits where others commit meanwhile. */
export const CROWDED_LIMIT_MS = 60_000;
const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 50;

/** Does what the store may refuse for a while, again and again, and throws what is not that, or lasts too long. */
export type Patiently = <Done>(act: () => Done) => Promise<Done>;

export class Patience {
  readonly #timeouts: Timeouts;
  readonly #commits: () => number;
  readonly #again: () => void;
  /** When the waiting began, and when a commit was last seen in it. */
  #since: number | undefined;
  #moved = 0;
  #seen = 0;
  #next = FIRST_WAIT_MS;
  #waiting: PromiseWithResolvers<void> | undefined;
  /** `commits` changes with each commit of another process; `again` is called when it is time to try again. */
  constructor(timeouts: Timeouts, commits: () => number, again: () => void) {
    this.#timeouts = timeouts;
    this.#commits = commits;
    this.#again = again;
  }

  /** Whether it is too early to try again. */
  get waits(): boolean {
    return this.#waiting !== undefined;
  }
  /** Resolves when it is time. */
  over(): Promise<void> {
    return this.#waiting?.promise ?? Promise.resolve();
  }
  /** The store was busy. False when that has taken too long; the next time counts anew. */
  wait(): boolean {
    const now = this.#timeouts.elapsed();
    const commits = this.#commits();
    if (this.#since === undefined || commits !== this.#seen) this.#moved = now;
    this.#since ??= now;
    this.#seen = commits;
    if (now - this.#moved >= BUSY_LIMIT_MS || now - this.#since >= CROWDED_LIMIT_MS) {
      this.end();
      return false;
    }
    const ms = this.#next;
    const waiting = Promise.withResolvers<void>();
    this.#waiting = waiting;
    this.#next = Math.min(ms * 2, LONGEST_WAIT_MS);
    this.#timeouts.after(ms, () => {
      this.#waiting = undefined;
      waiting.resolve();
      this.#again();
    });
    return true;
  }
  /** It was not busy. */
  end(): void {
    this.#since = undefined;
    this.#next = FIRST_WAIT_MS;
  }
}

/** What is written between ticks (I2): off the event loop it waits, while another process writes. */
export class PatientWrites {
  readonly #timeouts: Timeouts;
  readonly #store: Pick<Storage, "stand" | "isBusy" | "foreignCommits">;
  readonly #waiting = new Set<Promise<unknown>>();
  constructor(timeouts: Timeouts, store: Pick<Storage, "stand" | "isBusy" | "foreignCommits">) {
    this.#timeouts = timeouts;
    this.#store = store;
  }

  readonly write: Patiently = async (act) => {
    const writing = this.#write(act);
    this.#waiting.add(writing);
    return await writing.finally(() => this.#waiting.delete(writing));
  };
  /** Resolves when nothing waits any more, of what is begun meanwhile either. */
  async over(): Promise<void> {
    while (this.#waiting.size > 0) await Promise.allSettled(this.#waiting);
  }

  async #write<Done>(act: () => Done): Promise<Done> {
    const patience = new Patience(
      this.#timeouts,
      () => this.#store.foreignCommits(),
      () => undefined,
    );
    for (;;) {
      try {
        this.#store.stand();
        return act();
      } catch (error) {
        if (!this.#store.isBusy(error) || !patience.wait()) throw error;
      }
      await patience.over();
    }
  }
}
