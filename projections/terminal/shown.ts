/**
 * How much of each text block was shown, so that live chunks and the rows that commit them are one text.
 *
 * I1. Nothing is shown twice and, once its row has come, nothing is missing: a live chunk after a gap is left to its row.
 * I2. A block that begins anew, as when a crash cut its attempt off, is shown anew.
 */
import type { TextRow } from "../../machines/exchange.ts";

/** A block's id is unique within its run. */
export const blockKey = ({ run, payload }: TextRow): string => `${run ?? ""} ${payload.block}`;

export class Shown {
  readonly #blocks = new Map<string, { committed: number; shown: number }>();

  /** The part of a piece that was not shown yet. */
  fresh(row: TextRow, live: boolean): string {
    const { offset, text } = row.payload;
    const key = blockKey(row);
    let block = this.#blocks.get(key);
    if (block === undefined || offset < block.committed) {
      block = { committed: live ? 0 : offset, shown: live ? 0 : offset };
      this.#blocks.set(key, block);
    }
    if (live && offset > block.shown) return "";
    const end = offset + text.length;
    if (!live) block.committed = end;
    const from = Math.max(0, block.shown - offset);
    block.shown = Math.max(block.shown, end);
    return from === 0 ? text : text.slice(from);
  }
}
