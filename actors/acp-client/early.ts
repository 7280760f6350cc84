/**
 * Updates that come before the answer which brings their session's id.
 *
 * I1. They are kept, but not without end: of a session MOST, and then one word that there were more. What came first,
 *     most often of a closed session, makes room.
 */
export const MOST = 256;
const MOST_SESSIONS = 16;

export class Early {
  readonly #kept = new Map<string, (() => void)[]>();

  /** `tooMany` is kept in place of the first one that is not. */
  keep(sessionId: string, show: () => void, tooMany: () => void): void {
    const early = this.#kept.get(sessionId) ?? [];
    if (early.length === 0 && this.#kept.size >= MOST_SESSIONS)
      for (const [first] of [...this.#kept].slice(0, 1)) this.#kept.delete(first);
    if (early.length < MOST) early.push(show);
    else if (early.length === MOST) early.push(tooMany);
    this.#kept.set(sessionId, early);
  }
  /** Shows what was kept of it. */
  show(sessionId: string): void {
    for (const show of this.#kept.get(sessionId) ?? []) show();
    this.drop(sessionId);
  }
  drop(sessionId: string): void {
    this.#kept.delete(sessionId);
  }
  clear(): void {
    this.#kept.clear();
  }
}
