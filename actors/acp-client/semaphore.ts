/**
 * At most so many at once; the others wait in their order.
 *
 * I1. There are never more permits out than `max`.
 * I2. Who stops waiting takes none: `acquire` rejects, and the next one moves up.
 * I3. A permit is given back once, however often its release is called.
 */
import { ClientError } from "./errors.ts";

type Waiter = { enter: () => void };

export class Semaphore {
  readonly #max: number;
  #out = 0;
  readonly #waiting = new Set<Waiter>();
  constructor(max: number) {
    if (!Number.isInteger(max) || max < 1) throw new TypeError(`a gate needs a whole number from 1 up, not ${max}`);
    this.#max = max;
  }

  get inUse(): number {
    return this.#out;
  }
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves with the release of one permit. */
  acquire(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(cancelled());
    if (this.#out < this.#max) return Promise.resolve(this.#permit());
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiter);
        reject(cancelled());
      };
      const waiter: Waiter = {
        enter: () => {
          signal?.removeEventListener("abort", leave);
          resolve(this.#permit());
        },
      };
      this.#waiting.add(waiter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #permit(): () => void {
    this.#out++;
    let isOut = true;
    return () => {
      if (!isOut) return;
      isOut = false;
      this.#out--;
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      next.enter();
    };
  }
}

const cancelled = (): ClientError => new ClientError("cancelled", "the call was cancelled before it was sent");
