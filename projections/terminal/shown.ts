/**
 * How much of each text block was shown, so that live chunks and the rows that commit them are one text.
 *
 * I1. Nothing is shown twice and, once its row has come, nothing is missing: a live chunk after a gap is left to its row.
 */
import type { TextRow } from "../../machines/exchange.ts";

export class Shown {
  readonly #until = new Map<string, number>();

  /** The part of a piece that was not shown yet. */
  fresh({ payload: { block, offset, text } }: TextRow, live: boolean): string {
    const until = this.#until.get(block) ?? 0;
    if (live && offset > until) return "";
    const end = offset + text.length;
    if (end <= until) return "";
    this.#until.set(block, end);
    return offset >= until ? text : text.slice(until - offset);
  }
}
