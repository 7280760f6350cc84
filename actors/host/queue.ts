/**
 * Mail in order of arrival, taken in ticks.
 *
 * I1. Mail for one key is delivered in the order in which it was posted, except that mail which found its session
 *     just taken over waits until everything the take-over caused has come to rest.
 * I2. A tick that takes too long is cut between two mails; what is left begins the next one.
 */
import type { Mail } from "./mail.ts";

export const TICK_BUDGET_MS = 20;
const MAILS_PER_LOOK = 64;
/** `held`: the session was taken over by this mail; it comes again when the rest is done. */
export type Delivered = "settled" | "held";

export class Queue {
  #mail: Mail[] = [];
  #next = 0;

  get isEmpty(): boolean {
    return this.#mail.length === 0;
  }
  /** What a cut tick has left. */
  get waiting(): Mail[] {
    return this.#mail.slice(this.#next);
  }
  post(mail: Mail): void {
    this.#mail.push(mail);
  }

  /** Delivers until nothing is left or the tick's time is over; answers what was settled. */
  drain(deliver: (mail: Mail) => Delivered): Mail[] {
    const settled: Mail[] = [];
    const until = performance.now() + TICK_BUDGET_MS;
    let held: Mail[] = [];
    for (; this.#next < this.#mail.length || held.length > 0; this.#next++) {
      if (this.#next >= this.#mail.length) {
        this.#mail.push(...held);
        held = [];
      }
      if (held.length === 0 && this.#next % MAILS_PER_LOOK === MAILS_PER_LOOK - 1 && performance.now() > until) break;
      const mail = this.#mail[this.#next] as Mail;
      if (deliver(mail) === "held") held.push(mail);
      else settled.push(mail);
    }
    return settled;
  }

  /** The tick is committed: forgets what it delivered. */
  settle(): void {
    this.#mail = this.#next >= this.#mail.length ? [] : this.#mail.slice(this.#next);
    this.#next = 0;
  }
  /** The tick is undone: hands everything back, once each. */
  takeAll(): Set<Mail> {
    const all = new Set(this.#mail);
    this.#mail = [];
    this.#next = 0;
    return all;
  }
}
