/**
 * Time as everything in `actors/` gets it: injected, so that tests advance it.
 *
 * What has to wait waits by `elapsed`, `after` and `sleep`: the machine's clock may be set meanwhile. `now` is for
 * rows, for people, and for what a process left behind.
 */

export type Clock = {
  /** Milliseconds since the epoch; it jumps when the clock is set. */
  now(): number;
  /** Milliseconds; only differences count. Never goes back, and does not jump. */
  elapsed(): number;
  /** Calls `act` once after `ms` milliseconds; the answer takes it back. */
  after(ms: number, act: () => void): () => void;
  /** Resolves after `ms` milliseconds, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/** For what only waits, and shows no time. */
export type Timers = Pick<Clock, "elapsed" | "after">;
/** For what sleeps until a signal ends it. */
export type Pace = Pick<Clock, "elapsed" | "sleep">;

export const systemClock: Clock = {
  now: () => Date.now(),
  // Node loads a module for `performance`, and none for this.
  elapsed: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  after(ms, act) {
    const timeout = setTimeout(act, ms);
    return () => clearTimeout(timeout);
  },
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const done = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const timeout = setTimeout(done, ms);
      const stop = (): void => {
        clearTimeout(timeout);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
    }),
};
