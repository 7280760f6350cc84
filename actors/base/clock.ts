/**
 * Time as everything in `actors/` gets it: injected, so that tests advance it.
 *
 * What has to wait waits by `elapsed`, `after` and `sleep`, a request by `timeLimit`: the machine's clock may be set
 * meanwhile. `now` is for rows, for people, and for what a process left behind.
 *
 * I1. Where the process stood still over the end of a wait (stopped by a signal, or kept busy), what has come meanwhile
 *     is heard before the wait ends: an answer that was there in time is not late.
 * I2. A wait may be longer than a timer of Node's, also without end.
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

/** A wait that ends so much later than it should says that the process stood still. */
export const STOOD_STILL_MS = 1_000;
/** How long it is heard then. */
export const HEARD_MS = 250;

/** Waits that keep I1, on others. One that has heard ends, however late. */
export const hearing =
  ({ elapsed, after }: Timers): Clock["after"] =>
  (ms, act) => {
    const end = elapsed() + ms;
    let cancel = after(ms, () => {
      if (elapsed() - end <= STOOD_STILL_MS) act();
      else cancel = after(HEARD_MS, act);
    });
    return () => cancel();
  };

// Node loads a module for `performance`, and none for this.
const elapsed = (): number => {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
};

/** The longest that a timer of Node's is set for: a longer one ends at once. */
export const LONGEST_MS = 2 ** 31 - 1;

/** As many timers one after the other as it takes (I2). */
function timer(ms: number, act: () => void, { isQuiet }: { isQuiet: boolean }): () => void {
  let timeout: NodeJS.Timeout;
  const wait = (left: number): void => {
    timeout = setTimeout(() => (left > LONGEST_MS ? wait(left - LONGEST_MS) : act()), Math.min(left, LONGEST_MS));
    if (isQuiet) timeout.unref();
  };
  wait(ms);
  return () => clearTimeout(timeout);
}

const after = hearing({ elapsed, after: (ms, act) => timer(ms, act, { isQuiet: false }) });

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed,
  after,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = after(ms, () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      });
      const stop = (): void => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

const quietly = hearing({ elapsed, after: (ms, act) => timer(ms, act, { isQuiet: true }) });

/** Aborts after `ms` milliseconds, as `AbortSignal.timeout` does, and keeps I1. It keeps no process alive. */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  const act = (): void => limit.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  quietly(ms, act);
  return limit.signal;
}
