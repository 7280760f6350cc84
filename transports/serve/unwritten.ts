/**
 * Says in a server's log that the store cannot be written, and that it can be again.
 *
 * I1. However often it is tried in vain, it is one line for each fault, and one a minute after that.
 * I2. On a disk that is full little things are written in between: it is over once something was written after the last
 *     failure, and a while has passed since that; it is said then, also where nothing more is written.
 */
import type { Log } from "./log.ts";

const AGAIN_MS = 60_000;
const OVER_MS = 10_000;

export type WriteFault = { code: string; message: string };

type Timers = { elapsed: () => number; after: (ms: number, act: () => void) => () => void };

export class Unwritten {
  readonly #log: Log;
  readonly #timers: Timers;
  /** When each fault was said last, by its code. */
  readonly #told = new Map<string, number>();
  /** When one was seen last; null where all is well. */
  #seen: number | null = null;
  #last: WriteFault | null = null;
  /** Takes back what is due a while after the last failure (I2). */
  #stay: (() => void) | null = null;
  /** How often it was tried in vain. */
  failures = 0;
  constructor(log: Log, timers: Timers) {
    this.#log = log;
    this.#timers = timers;
  }

  /** What keeps the store from being written; null where nothing has for a while (I2). */
  get fault(): WriteFault | null {
    return this.#rest() > 0 ? this.#last : null;
  }
  failed({ code, message }: WriteFault): void {
    const now = this.#timers.elapsed();
    this.failures += 1;
    this.#stay?.();
    this.#stay = null;
    this.#seen = now;
    this.#last = { code, message };
    if (now - (this.#told.get(code) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    this.#told.set(code, now);
    this.#log(message, "error", { code });
  }
  written(): void {
    if (this.#seen === null) return;
    const rest = this.#rest();
    if (rest === 0) return this.#over();
    this.#stay ??= this.#timers.after(rest, () => this.#over());
  }

  /** How long it is until the last failure counts no more. */
  #rest(): number {
    return this.#seen === null ? 0 : Math.max(0, this.#seen + OVER_MS - this.#timers.elapsed());
  }
  #over(): void {
    this.#stay?.();
    this.#stay = null;
    this.#seen = null;
    this.#told.clear();
    this.#log("the log can be written again");
  }
}
