/**
 * How far the engine's clock is ahead of this machine's. The library tells the engine when something is due by the clock of
 * the machine that asks, and the engine waits for that by its own: with a clock an hour ahead, a second would take an hour.
 *
 * I1. Each answer of the engine says when it was given, to the second. What was believed and agrees with that stays; else
 *     the nearest that agrees is believed. So a clock that is right is never corrected by what a second leaves open.
 */

/** As the `Date` of HTTP says it: without parts of it. */
const ROUNDED_MS = 1_000;

export class EngineClock {
  readonly #now: () => number;
  #ahead = 0;
  /** `now`: the clock that the library uses, which is the system's. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A call of the engine, of whose answer the time is heard. */
  hearing(call: typeof fetch): typeof fetch {
    return async (...given) => {
      const sent = this.#now();
      const response = await call(...given);
      this.#hear(Date.parse(response.headers.get("date") ?? ""), sent);
      return response;
    };
  }
  /** A delay as the engine is to be told it, so that it waits so many milliseconds. */
  delay(ms: number): { milliseconds: number } {
    return { milliseconds: Math.max(0, Math.round(ms + this.#ahead)) };
  }

  /** I1. `given`: NaN where the answer does not say. */
  #hear(given: number, sent: number): void {
    if (Number.isNaN(given)) return;
    const [least, most] = [given - this.#now(), given + ROUNDED_MS - sent];
    this.#ahead = Math.min(Math.max(this.#ahead, least), most);
  }
}
