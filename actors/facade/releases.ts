/** Who waits for a session to come to rest in this process, and the cancels that are on their way. */
import type { Key } from "../../machines/model.ts";

export class Releases {
  readonly #waiting = new Map<Key, PromiseWithResolvers<void>>();
  readonly #cancels = new Map<Key, Promise<void>>();

  /** Resolves when the session is given up next. */
  next(session: Key): Promise<void> {
    const waiting = this.#waiting.get(session) ?? Promise.withResolvers<void>();
    this.#waiting.set(session, waiting);
    return waiting.promise;
  }
  /** A cancel of the session is over when this has settled. */
  cancels(session: Key, over: Promise<void>): void {
    const settled: Promise<void> = over
      .catch(() => undefined)
      .then(() => void (this.#cancels.get(session) === settled && this.#cancels.delete(session)));
    this.#cancels.set(session, settled);
  }
  /** Resolves when the last cancel of the session is over; undefined where none is on its way. */
  cancelling(session: Key): Promise<void> | undefined {
    return this.#cancels.get(session);
  }

  /** Within the transaction that gives it up: what waited runs on after it. */
  note(session: Key): void {
    const waiting = this.#waiting.get(session);
    this.#waiting.delete(session);
    waiting?.resolve();
  }
}
