/**
 * What the machine of one piece of running work tells it, beside the answers to its questions.
 *
 * I1. What comes before the work listens is kept for it, in order.
 */
import type { WorkTold } from "../../machines/guidance.ts";

export class WorkTalk {
  #take: ((told: WorkTold) => void) | null = null;
  readonly #early: WorkTold[] = [];

  hear(told: WorkTold): void {
    if (this.#take === null) this.#early.push(told);
    else this.#take(told);
  }

  listen(take: (told: WorkTold) => void): void {
    this.#take = take;
    for (const told of this.#early.splice(0)) take(told);
  }
}
