/**
 * What an agent says of one session, handed over in its order, one after the other.
 *
 * I1. A handler that takes its time is waited for; the next update waits behind it.
 * I2. A handler that throws is reported, and the next update comes all the same.
 */
export class Updates {
  readonly #onError: (error: unknown) => void;
  #last: Promise<void> | null = null;
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  push(hand: () => void | Promise<void>): void {
    if (this.#last !== null) return this.#follow(this.#last.then(hand));
    try {
      const going = hand();
      if (going !== undefined) this.#follow(going);
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Resolves when all that was pushed so far has been handed over. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #follow(going: Promise<void>): void {
    const last: Promise<void> = going
      .catch((error) => this.#onError(error))
      .then(() => {
        if (this.#last === last) this.#last = null;
      });
    this.#last = last;
  }
}
