/**
 * How far a run is, for a host that asked for it.
 *
 * I1. `progress` rises with each notification and does not reach the number of steps before the run's end. A step that
 *     is done again, as in a loop, brings it nearer to the next whole number.
 */
import { concatMap, pipe } from "rxjs";
import { type Exchange, type Frame, isLive } from "../../machines/exchange.ts";
import { itemOf, roundOf } from "../../machines/naming/address.ts";
import { visibleLine } from "../../machines/visible.ts";
import { folding, type Projection } from "../shared/projection.ts";

export type RunProgress = { progress: number; total: number; message: string };

/** A batch's worth of news at most: the last step that began, was tried again or ended. `run`: the root run. */
export const runProgress = (run: string): Projection<RunProgress> =>
  pipe(
    folding(
      () => new ProgressFold(run),
      (fold, frames: readonly Frame[]) => fold.take(frames),
    ),
    concatMap((news) => news),
  );

class ProgressFold {
  readonly #run: string;
  readonly #titles = new Map<string, string>();
  readonly #done = new Set<string>();
  #last = 0;
  constructor(run: string) {
    this.#run = run;
  }

  take(frames: readonly Frame[]): RunProgress[] {
    let message: string | null = null;
    for (const frame of frames) if (!isLive(frame) && frame.run === this.#run) message = this.#row(frame) ?? message;
    if (message === null) return [];
    const progress = this.#next();
    if (progress <= this.#last) return [];
    this.#last = progress;
    return [{ progress, total: this.#titles.size, message }];
  }

  #row(row: Exchange): string | null {
    switch (row.type) {
      case "run.started":
        for (const { name, title } of row.payload.plan) this.#titles.set(name, title);
        return null;
      case "step.started": {
        const { name, round } = row.payload;
        const item = itemOf(round);
        const number = roundOf(row.step ?? "");
        const title = this.#titleOf(name);
        return visibleLine(item === null ? title : `${title} [${item}] (${number} of ${round?.of})`);
      }
      case "step.retrying":
        return visibleLine(`${this.#titleOf(row.payload.name)} (attempt ${row.payload.attempt})`);
      case "step.completed": {
        const { name, status } = row.payload;
        if (this.#titles.has(name)) this.#done.add(name);
        return visibleLine(`${this.#titleOf(name)}: ${status}`);
      }
      default:
        return null;
    }
  }

  #titleOf(name: string): string {
    return this.#titles.get(name) ?? name;
  }
  /** Half of the way to what the next step's end will say (I1). */
  #next(): number {
    const done = Math.min(this.#done.size, Math.max(0, this.#titles.size - 1));
    if (done > this.#last) return done;
    return this.#last + (Math.floor(this.#last) + 1 - this.#last) / 2;
  }
}
