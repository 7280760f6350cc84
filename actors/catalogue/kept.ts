/** Things that are kept to be found again, up to a weight in all: the one that was set first goes first. */
export class Kept<T> {
  readonly #most: () => number;
  readonly #entries = new Map<string, { value: T; weight: number }>();
  #weight = 0;

  /** `most`: the greatest weight in all, in the unit of `set`; asked when something is set. */
  constructor(most: () => number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }
  /** Something that weighs more than all may weigh is not kept. */
  set(key: string, value: T, weight: number): void {
    this.delete(key);
    const most = this.#most();
    if (weight > most) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= most) return;
      this.delete(oldest);
    }
  }
  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
