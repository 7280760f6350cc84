/** Who waits for a session to come to rest in this process. */
import type { Key } from "../../machines/model.ts";

export class Releases {
  readonly #waiting = new Map<Key, PromiseWithResolvers<void>>();

  /** Resolves when the session is given up next. */
  next(session: Key): Promise<void> {
    const waiting = this.#waiting.get(session) ?? Promise.withResolvers<void>();
    this.#waiting.set(session, waiting);
    return waiting.promise;
  }
  /** Within the transaction that gives it up: what waited runs on after it. */
  note(session: Key): void {
    const waiting = this.#waiting.get(session);
    this.#waiting.delete(session);
    waiting?.resolve();
  }
}
