/**
 * Processes of ACP agents that wait for the next step of their session.
 *
 * I1. A process serves one step at a time: the step that takes it has it alone until it gives it back.
 * I2. One process waits per session and purpose. When its session is left, because nothing of it runs any more, it ends.
 */
import type { Key } from "../../../machines/model.ts";

export type Pooled = { close(): Promise<void> };

export class Pool<T extends Pooled> {
  readonly #waiting = new Map<Key, Map<string, T>>();

  /** The process that waits, if one does; it is the caller's from now on. */
  take(session: Key, purpose: string): T | null {
    const kept = this.#waiting.get(session)?.get(purpose) ?? null;
    this.#waiting.get(session)?.delete(purpose);
    return kept;
  }
  /** Gives it back. Where another one waits already, it ends. */
  async give(session: Key, purpose: string, kept: T): Promise<void> {
    const waiting = this.#waiting.get(session) ?? new Map<string, T>();
    if (waiting.has(purpose)) return kept.close();
    this.#waiting.set(session, waiting.set(purpose, kept));
  }
  /** Forgets one that ended by itself. */
  forget(session: Key, purpose: string, kept: T): void {
    if (this.#waiting.get(session)?.get(purpose) === kept) this.#waiting.get(session)?.delete(purpose);
  }
  /** Nothing of the session runs any more. */
  async leave(session: Key): Promise<void> {
    const waiting = [...(this.#waiting.get(session)?.values() ?? [])];
    this.#waiting.delete(session);
    await Promise.all(waiting.map((kept) => kept.close()));
  }
  async close(): Promise<void> {
    await Promise.all([...this.#waiting.keys()].map((session) => this.leave(session)));
  }
}
