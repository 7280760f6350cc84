/**
 * The pids of the children that this process has had started lately: none of them is another child's offspring.
 *
 * I1. A pid counts only from its start on, and only for SHORT_LIFE_MS: later the system may have given it to others.
 */

/** Below this many milliseconds the numbers cannot have gone round: 32,768 pids at 8 µs each. */
export const SHORT_LIFE_MS = 250;
const MANY = 1_024;

export class StartedPids {
  readonly #since = new Map<number, number>();

  note(pid: number, now: number): void {
    if (this.#since.size >= MANY)
      for (const [old, since] of this.#since) if (now - since > SHORT_LIFE_MS) this.#since.delete(old);
    this.#since.set(pid, now);
  }
  /** Whether it was given to a child of ours after `since`, and to no other process meanwhile. */
  has(pid: number, since: number, now: number): boolean {
    const at = this.#since.get(pid);
    return at !== undefined && at >= since && now - at <= SHORT_LIFE_MS;
  }
}

/** This process's own. */
export const startedPids = new StartedPids();
