/**
 * The order of a log, seen to where it is read: rows pass only in the order of their seqs.
 *
 * I1. A row that is not the next one is an error: nothing behind it is shown as if nothing were missing.
 * I2. Live chunks have no seq and pass.
 */
import { type Frame, isLive } from "../../machines/exchange.ts";
import { folding, type Projection } from "./projection.ts";

/** A row came that is not the one behind the last. */
export class OutOfOrder extends Error {
  readonly code = "SYSTEM.LOG.OUT_OF_ORDER";
  constructor(last: number, seq: number) {
    super(
      seq <= last
        ? `the log came back to row ${seq} when row ${last} had been read: read it again from its beginning`
        : `the log lacks rows ${last + 1} to ${seq - 1}: its store is damaged; put a copy of yours back, or export what is left`,
    );
  }
}

/** `refused`: a gap is an error. `reported`: the view behind this one says which rows are missing, and continues. */
export type Gaps = "refused" | "reported";

/**
 * Passes batches on as they are. Errors with `OutOfOrder` at the first row that is not the next one behind `after`.
 * @example session.log$({ after }).pipe(inSeq(after), terminalLines(options)).subscribe(write);
 */
export const inSeq = (after: number, gaps: Gaps = "refused"): Projection<readonly Frame[]> =>
  folding(
    () => ({ seq: after }),
    (last, frames: readonly Frame[]) => {
      for (const frame of frames) {
        if (isLive(frame)) continue;
        const isNext = gaps === "reported" ? frame.seq > last.seq : frame.seq === last.seq + 1;
        if (!isNext) throw new OutOfOrder(last.seq, frame.seq);
        last.seq = frame.seq;
      }
      return frames;
    },
  );
