/** Time for `actors/process` and clients: stands still until `advance`. */
import type { TimerClock } from "../../actors/process/clock.ts";

export class ManualClock implements TimerClock {
  #now = 0;
  readonly #waiting = new Map<object, { at: number; run: () => void }>();
  readonly now = (): number => this.#now;
  readonly setTimeout = (run: () => void, ms: number): { timer: unknown } => {
    const timer = {};
    this.#waiting.set(timer, { at: this.#now + ms, run });
    return { timer };
  };
  readonly clearTimeout = ({ timer }: { timer: unknown }): void => {
    this.#waiting.delete(timer as object);
  };
  get timers(): number {
    return this.#waiting.size;
  }
  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#waiting].filter(([, { at }]) => at <= this.#now).sort(([, a], [, b]) => a.at - b.at);
    for (const [timer, { run }] of due) if (this.#waiting.delete(timer)) run();
  }
}
