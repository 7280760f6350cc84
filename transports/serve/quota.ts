/** How many connections there may be, in all and of one principal. A place that was taken is given back once. */

export class Quota {
  readonly #max: number;
  readonly #maxEach: number;
  readonly #taken = new Map<string, number>();
  #count = 0;
  constructor({ max, maxEach }: { max: number; maxEach: number }) {
    this.#max = max;
    this.#maxEach = maxEach;
  }

  get count(): number {
    return this.#count;
  }

  /** Whose places are all taken, where this one finds none: its own, or everybody's. */
  lacking(principal: string): "own" | "all" {
    return (this.#taken.get(principal) ?? 0) >= this.#maxEach ? "own" : "all";
  }

  /** Answers what gives the place back, or null when there is none. */
  take(principal: string): (() => void) | null {
    const own = this.#taken.get(principal) ?? 0;
    if (this.#count >= this.#max || own >= this.#maxEach) return null;
    this.#count++;
    this.#taken.set(principal, own + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#count--;
      const left = (this.#taken.get(principal) ?? 1) - 1;
      if (left === 0) this.#taken.delete(principal);
      else this.#taken.set(principal, left);
    };
  }
}
