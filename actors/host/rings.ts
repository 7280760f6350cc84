/**
 * When a ring of the store's bell is looked into. It rings for our own commits too, and does not say whose it was.
 *
 * I1. A ring that comes after a commit of ours is looked into a little later, once for all until then: a look costs as
 *     much as a small read. Every other one is looked into at once.
 */
import type { Timeouts } from "./timeouts.ts";

/** So much later at most is heard of another process where this one commits as well. */
export const AFTER_OURS_MS = 5;

export class Rings {
  readonly #timeouts: Pick<Timeouts, "after">;
  readonly #look: () => void;
  #isOurs = false;
  #waits = false;
  constructor(timeouts: Pick<Timeouts, "after">, look: () => void) {
    this.#timeouts = timeouts;
    this.#look = look;
  }

  /** This process has committed. */
  ours(): void {
    this.#isOurs = true;
  }
  hear(): void {
    if (this.#waits) return;
    if (!this.#isOurs) return this.#look();
    this.#isOurs = false;
    this.#waits = true;
    this.#timeouts.after(AFTER_OURS_MS, () => {
      this.#waits = false;
      this.#look();
    });
  }
}
