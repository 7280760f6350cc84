/**
 * Says in a server's log that the store cannot be written, and that it can be again.
 *
 * I1. However often it is tried in vain, it is one line, and one a minute after that.
 * I2. On a disk that is full little things are written in between: only what is written a while after the last failure
 *     says that it is over.
 */
import type { Log } from "./log.ts";

const AGAIN_MS = 60_000;
const OVER_MS = 10_000;

export class Unwritten {
  readonly #log: Log;
  readonly #now: () => number;
  /** When it was said, and when it was seen last; null where all is well. */
  #since: { code: string; told: number; seen: number } | null = null;
  constructor(log: Log, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  failed({ code, message }: { code: string; message: string }): void {
    const now = this.#now();
    const isKnown = this.#since?.code === code && now - this.#since.told < AGAIN_MS;
    const told = isKnown ? (this.#since?.told ?? now) : now;
    this.#since = { code, told, seen: now };
    if (!isKnown) this.#log(message, "error", { code });
  }
  written(): void {
    if (this.#since === null || this.#now() - this.#since.seen < OVER_MS) return;
    this.#since = null;
    this.#log("the log can be written again");
  }
}
