/**
 * What is made with the first who needs it, and once.
 *
 * I1. What could not be made is tried again by the next one.
 */
export class FirstUse<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  /** What was made, or is being made; undefined where nobody has needed it, or it could not be made. */
  get made(): Promise<T> | undefined {
    return this.#made;
  }
  get(): Promise<T> {
    if (this.#made !== undefined) return this.#made;
    const making = this.#make();
    this.#made = making;
    making.catch(() => {
      this.#made = undefined;
    });
    return making;
  }
}
