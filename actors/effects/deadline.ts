/**
 * How long an agent may work.
 *
 * I1. The time in which a question of the agent waits for its answer does not count.
 * I2. After `close` nothing waits any more.
 */
import type { Timers } from "../base/clock.ts";

export class Deadline {
  readonly #clock: Timers;
  /** One for both that may end the work: each step has one, and signals that follow signals are dear to collect. */
  readonly #over = new AbortController();
  /** Milliseconds that are left, as of `#since`. */
  #left: number;
  #since = 0;
  /** What its time stands still for; its start to begin with. */
  #waiting = 1;
  #stopTimer: (() => void) | null = null;
  #forget: () => void = () => undefined;
  #isUp = false;

  /** `ms`: how long; null for no limit. */
  constructor(ms: number | null, clock: Timers) {
    this.#clock = clock;
    this.#left = ms ?? Infinity;
  }

  /** Its time runs from now on. The answer aborts when it is up, or when `outer` aborts. */
  start(outer: AbortSignal): AbortSignal {
    const follow = (): void => this.#over.abort(outer.reason);
    if (outer.aborted) follow();
    outer.addEventListener("abort", follow, { once: true });
    this.#forget = () => outer.removeEventListener("abort", follow);
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#run();
    return this.#over.signal;
  }

  /** Whether the time is over. */
  get isUp(): boolean {
    return this.#isUp;
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
    this.#forget();
  }

  #run(): void {
    if (this.#left === Infinity) return;
    this.#since = this.#clock.elapsed();
    this.#stopTimer = this.#clock.after(this.#left, () => {
      this.#isUp = true;
      this.#over.abort();
    });
  }

  #stop(): void {
    if (this.#stopTimer === null) return;
    this.#stopTimer();
    this.#stopTimer = null;
    this.#left = Math.max(0, this.#left - (this.#clock.elapsed() - this.#since));
  }
}
