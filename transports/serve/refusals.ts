/**
 * What is refused, in the log: a client may be refused any number of times.
 *
 * I1. A reason is reported at once when it is the first of its minute. How often it came again is reported in one line
 *     a minute.
 */
import type { Log } from "./log.ts";

const MINUTE_MS = 60_000;

export class Refusals {
  readonly #log: Log;
  /** How often each came again in this minute. */
  readonly #again = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** `what` is one of few. */
  note(what: string): void {
    const again = this.#again.get(what);
    if (this.#again.size === 0) setTimeout(() => this.#minute(), MINUTE_MS).unref();
    this.#again.set(what, again === undefined ? 0 : again + 1);
    if (again === undefined) this.#log(what, "warn");
  }

  #minute(): void {
    const again = [...this.#again].filter(([, count]) => count > 0).map(([what, count]) => `${what} (${count} times)`);
    this.#again.clear();
    if (again.length > 0) this.#log(`again in the last minute: ${again.join("; ")}`, "warn");
  }
}
