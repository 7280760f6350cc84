/** Time for `actors/process`, clients and effects: stands still until `advance`. */
import type { Timers } from "../../actors/base/clock.ts";

export class ManualClock implements Timers {
  #now = 0;
  readonly #waiting = new Map<object, { at: number; act: () => void }>();
  readonly elapsed = (): number => this.#now;
  readonly after = (ms: number, act: () => void): (() => void) => {
    const timer = {};
    this.#waiting.set(timer, { at: this.#now + ms, act });
    return () => void this.#waiting.delete(timer);
  };
  get timers(): number {
    return this.#waiting.size;
  }
  /** How long it is until the next timer, or Infinity. */
  get next(): number {
    return Math.min(...[...this.#waiting.values()].map(({ at }) => at - this.#now));
  }
  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#waiting].filter(([, { at }]) => at <= this.#now).sort(([, a], [, b]) => a.at - b.at);
    for (const [timer, { act }] of due) if (this.#waiting.delete(timer)) act();
  }
}
