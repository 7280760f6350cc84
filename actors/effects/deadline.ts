/**
 * How long an agent may work.
 *
 * I1. The time in which a question of the agent waits for its answer does not count.
 * I2. After `close` nothing waits any more.
 */
import type { Pace } from "../base/clock.ts";

/** One reason for all: a new one would cost more than the rest of a stop. */
const STOPPED = new DOMException("its time stands still", "AbortError");

export class Deadline {
  readonly #clock: Pace;
  readonly #over = new AbortController();
  /** Milliseconds that are left, as of `#since`. */
  #left: number;
  #since = 0;
  /** What its time stands still for; its start to begin with. */
  #waiting = 1;
  #timer: AbortController | null = null;

  /** `ms`: how long; null for no limit. */
  constructor(ms: number | null, clock: Pace) {
    this.#clock = clock;
    this.#left = ms ?? Infinity;
  }

  /** Its time runs from now on. */
  start(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#run();
  }

  /** Aborts when the time is up. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Waits for what is not the agent's work (I1). */
  async outside<T>(wait: Promise<T>): Promise<T> {
    this.#waiting += 1;
    if (this.#waiting === 1) this.#stop();
    try {
      return await wait;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#run();
    }
  }

  close(): void {
    this.#waiting += 1;
    this.#stop();
  }

  #run(): void {
    if (this.#left === Infinity) return;
    this.#since = this.#clock.elapsed();
    const timer = new AbortController();
    this.#timer = timer;
    const ring = (): void => {
      if (!timer.signal.aborted) this.#over.abort();
    };
    this.#clock.sleep(this.#left, timer.signal).then(ring, () => undefined);
  }

  #stop(): void {
    if (this.#timer === null) return;
    this.#timer.abort(STOPPED);
    this.#timer = null;
    this.#left = Math.max(0, this.#left - (this.#clock.elapsed() - this.#since));
  }
}
