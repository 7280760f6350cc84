/**
 * The time that this folder's waits run on, injected so that tests advance it.
 */
export type Timer = { readonly timer: unknown };

export type TimerClock = {
  /** Calls `run` once, `ms` milliseconds from now. */
  setTimeout: (run: () => void, ms: number) => Timer;
  clearTimeout: (timer: Timer) => void;
  /** Milliseconds; only differences count. */
  now: () => number;
};

/** The machine's own monotonic clock. */
export const realClock: TimerClock = {
  setTimeout: (run, ms) => ({ timer: setTimeout(run, ms) }),
  clearTimeout: ({ timer }) => clearTimeout(timer as NodeJS.Timeout),
  now: () => performance.now(),
};
