/**
 * How long no process ran what a log records: after a crash, and while it was parked, until a turn resumed it.
 *
 * I1. What passed between the last row of a run and a crash is counted as downtime: no row says when the crash was.
 */
import type { Exchange } from "../../machines/exchange.ts";

export class Downtime {
  #last: number | null = null;
  #ms = 0;

  see({ type, at, run }: Pick<Exchange, "type" | "at" | "run">): void {
    if (type === "turn.started" && this.#last !== null) this.#ms += Math.max(0, at - this.#last);
    if (run !== undefined || type === "turn.started") this.#last = at;
  }
  /** The next row, with its time as if nothing had stood still. */
  leftOut(row: Exchange): Exchange {
    this.see(row);
    return this.#ms === 0 ? row : { ...row, at: row.at - this.#ms };
  }
  /** When a process was last at work, as far as the rows say, in milliseconds since the epoch; null before the first. */
  get lastAt(): number | null {
    return this.#last;
  }
  /** Of the rows so far, in milliseconds. */
  get ms(): number {
    return this.#ms;
  }
}

/** Rows with their times as if nothing had stood still: while the rows are there that say so. */
export function worked(rows: readonly Exchange[]): Exchange[] {
  const down = new Downtime();
  return rows.map((row) => down.leftOut(row));
}
