/** Time as the understudy needs it: handed in, so that a test can play a slow script at once. */
export type ScriptClock = {
  /** Milliseconds; only differences count. */
  now(): number;
  /** Settles after `ms`, or when `signal` aborts; it may resolve or reject then. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};
