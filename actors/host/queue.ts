/**
 * Mail in order of arrival, taken in ticks.
 *
 * I1. Mail for one key is delivered in the order in which it was posted, except that mail which found its session
 *     taken over in the same tick waits, in order, until everything the take-over caused has come to rest.
 * I2. A tick that takes too long is cut between two mails; what is left begins the next one.
 * I3. A tick that is undone leaves what the host had to deliver when it began, in order; what the tick itself caused
 *     never was, and callers are told.
 */
import type { Mail } from "./mail.ts";

export const TICK_BUDGET_MS = 20;
const MAILS_PER_LOOK = 64;
/** `held`: the mail's session was taken over in this tick; the mail comes again when the rest is done. */
export type Delivered = "settled" | "held";

export class Queue {
  #mail: Mail[] = [];
  #next = 0;
  /** How many of the mails were there when the tick began; the others it caused itself. */
  #given: number | undefined;
  /** Mails that this tick wrote down. */
  #kept: Mail[] = [];

  get isEmpty(): boolean {
    return this.#mail.length === 0;
  }
  post(mail: Mail): void {
    this.#mail.push(mail);
  }

  /** Delivers until nothing is left or the tick's time is over; answers what was settled. `given`: not of this tick. */
  drain(deliver: (mail: Mail, given: boolean) => Delivered): Mail[] {
    const settled: Mail[] = [];
    const until = performance.now() + TICK_BUDGET_MS;
    const given = this.#mail.length;
    this.#given = given;
    let held: Mail[] = [];
    for (; this.#next < this.#mail.length || held.length > 0; this.#next++) {
      if (this.#next >= this.#mail.length) {
        this.#mail.push(...held);
        held = [];
      }
      if (held.length === 0 && this.#next % MAILS_PER_LOOK === MAILS_PER_LOOK - 1 && performance.now() > until) break;
      const mail = this.#mail[this.#next] as Mail;
      if (deliver(mail, this.#next < given) === "held") held.push(mail);
      else settled.push(mail);
    }
    return settled;
  }

  /** Writes down what a cut tick has left: `write` answers the row, or nothing for mail that needs none. */
  keep(write: (mail: Mail) => number | undefined): void {
    for (const mail of this.#mail.slice(this.#next)) {
      const row = mail.row === undefined ? write(mail) : undefined;
      if (row === undefined) continue;
      mail.row = row;
      this.#kept.push(mail);
    }
  }

  /** The tick is committed: forgets what it delivered. */
  settle(): void {
    this.#mail = this.#next >= this.#mail.length ? [] : this.#mail.slice(this.#next);
    this.#begin();
  }
  /** The tick is undone: answers the mail of callers, keeps the rest (I3). A due timer is left to its row. */
  undo(): Mail[] {
    for (const mail of this.#kept) delete mail.row;
    const given = this.#mail.slice(0, this.#given);
    this.#mail = given.filter((mail) => mail.done === undefined && mail.timer === undefined);
    this.#begin();
    return given.filter((mail) => mail.done !== undefined);
  }

  #begin(): void {
    this.#next = 0;
    this.#given = undefined;
    this.#kept = [];
  }
}
