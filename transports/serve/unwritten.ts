/**
 * Says in a server's log that the store cannot be written, and that it can be again.
 *
 * I1. However often it is tried in vain, it is one line for each fault, and one a minute after that.
 * I2. On a disk that is full little things are written in between: only what is written a while after the last failure
 *     says that it is over.
 */
import type { Log } from "./log.ts";

const AGAIN_MS = 60_000;
const OVER_MS = 10_000;

export type WriteFault = { code: string; message: string };

export class Unwritten {
  readonly #log: Log;
  readonly #now: () => number;
  /** When each fault was said last, by its code. */
  readonly #told = new Map<string, number>();
  /** When one was seen last; null where all is well. */
  #seen: number | null = null;
  #last: WriteFault | null = null;
  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** What keeps the store from being written; null where nothing has for a while (I2). */
  get fault(): WriteFault | null {
    return this.#seen === null || this.#now() - this.#seen >= OVER_MS ? null : this.#last;
  }
  failed({ code, message }: WriteFault): void {
    const now = this.#now();
    this.#seen = now;
    this.#last = { code, message };
    if (now - (this.#told.get(code) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    this.#told.set(code, now);
    this.#log(message, "error", { code });
  }
  written(): void {
    if (this.#seen === null || this.#now() - this.#seen < OVER_MS) return;
    this.#seen = null;
    this.#told.clear();
    this.#log("the log can be written again");
  }
}
