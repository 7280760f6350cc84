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
  /** A cancel is sent to the session. */
  cancels<Answer>(session: Key, sent: Promise<Answer>): Promise<Answer> {
    const over: Promise<void> = sent.then(
      () => this.#cancelSent(session, over),
      () => this.#cancelSent(session, over),
    );
    this.#cancels.set(session, over);
    return sent;
  }
  /** Resolves when the last cancel that was sent to it is durable, or has failed. */
  async cancelling(session: Key): Promise<void> {
    await this.#cancels.get(session);
  }
  #cancelSent(session: Key, over: Promise<void>): void {
    if (this.#cancels.get(session) === over) this.#cancels.delete(session);
  }

  /** Within the transaction that gives it up: what waited runs on after it. */
  note(session: Key): void {
    const waiting = this.#waiting.get(session);
    this.#waiting.delete(session);
    waiting?.resolve();
  }
}
