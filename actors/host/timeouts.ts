/** The clock as one host uses it: what still waits when the host stops is taken back. */
import type { Clock } from "../base/clock.ts";

type Times = Pick<Clock, "now" | "elapsed" | "after">;

export class Timeouts {
  readonly #clock: Times;
  readonly #waiting = new Set<() => void>();
  #stopped = false;
  constructor(clock: Times) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }
  elapsed(): number {
    return this.#clock.elapsed();
  }
  /** Calls `act` once after `ms` milliseconds; the answer takes it back. */
  after(ms: number, act: () => void): () => void {
    if (this.#stopped) return () => undefined;
    const stop = this.#clock.after(ms, () => {
      this.#waiting.delete(cancel);
      act();
    });
    const cancel = (): void => {
      this.#waiting.delete(cancel);
      stop();
    };
    this.#waiting.add(cancel);
    return cancel;
  }
  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#waiting) cancel();
  }
}
