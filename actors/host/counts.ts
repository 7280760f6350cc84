/** How many of something each session has; a session with none is not remembered. */
import type { Key } from "../../machines/model.ts";

export class Counts {
  readonly #counts = new Map<Key, number>();
  add(session: Key, by: 1 | -1): void {
    const count = (this.#counts.get(session) ?? 0) + by;
    if (count <= 0) this.#counts.delete(session);
    else this.#counts.set(session, count);
  }
  has(session: Key): boolean {
    return this.#counts.has(session);
  }
  clear(): void {
    this.#counts.clear();
  }
}
