/**
 * What was used and spent so far: ACP's cost is that of the whole session, a row's is that of its attempt, as far as it
 * got.
 *
 * I1. A later row of the same attempt takes the place of the earlier one; other attempts and steps add up.
 * I2. One total has one currency: the first that was reported.
 * I3. Rows from before it was asked first, and between, are read when a cost is reported: until then they cost nothing.
 *     A row counts once.
 */
import type { Exchange, RowOf } from "../../machines/exchange.ts";
import type { View } from "./view.ts";

type Cost = { amount: number; currency: string };
/** Rows of the session after `after`, oldest first. */
export type ReadRows = (after: number, limit: number) => readonly Exchange[];
const PAGE = 512;

export class Spending {
  readonly #rows: ReadRows;
  /** Of attempts that may report more, by their step. */
  readonly #open = new Map<string, { attempt: number; amount: number }>();
  #ended = 0;
  #currency: string | null = null;
  #shown: View | null = null;
  /** The last row that was counted. */
  #seq = 0;
  /** `rows`: what its reader was not shown; without it that is nothing. */
  constructor(rows: ReadRows = () => []) {
    this.#rows = rows;
  }

  /** Shown only where the row says what the type demands: how much of which window is used. */
  show(row: Exchange<RowOf<"usage.recorded">>, views: View[]): void {
    const { used, size, cost } = row.payload;
    const spent = cost === undefined ? null : this.add(row, cost);
    if (!isCount(used) || !isCount(size)) return;
    this.#shown = { update: { sessionUpdate: "usage_update", used, size, ...(spent === null ? {} : { cost: spent }) } };
    views.push(this.#shown);
  }
  /** What was shown last, for a reader who comes later. */
  tell(_: number, views: View[]): void {
    if (this.#shown !== null) views.push(this.#shown);
  }
  /** The step's attempt reports no more. */
  ended(row: Exchange): void {
    if (this.#open.size > 0) this.#takeUpTo(row);
  }
  /** The total with what a row reports; null where it is of another currency. */
  add(row: Exchange, { currency }: Cost): Cost | null {
    this.#takeUpTo(row);
    if (currency !== this.#currency) return null;
    const total = [...this.#open.values()].reduce((sum, { amount }) => sum + amount, this.#ended);
    // Sums of decimal fractions would show digits that were not charged.
    return { amount: Number(total.toFixed(9)), currency };
  }

  /** I3. */
  #takeUpTo(row: Exchange): void {
    for (let full = true; full && this.#seq < row.seq - 1; ) {
      const page = this.#rows(this.#seq, PAGE);
      for (const earlier of page) if (earlier.seq < row.seq) this.#take(earlier);
      full = page.length === PAGE && (page.at(-1)?.seq ?? 0) < row.seq;
    }
    this.#take(row);
  }
  #take(row: Exchange): void {
    if (row.seq <= this.#seq) return;
    this.#seq = row.seq;
    switch (row.type) {
      case "usage.recorded": {
        const { cost, attempt = 1 } = row.payload;
        this.#currency ??= cost?.currency ?? null;
        if (cost === undefined || cost.currency !== this.#currency) return;
        const { amount } = cost;
        if (this.#open.get(keyOf(row))?.attempt !== attempt) this.#end(row);
        this.#open.set(keyOf(row), { attempt, amount });
        return;
      }
      case "step.retrying":
      case "step.completed":
      case "input.answered":
        this.#end(row);
    }
  }
  #end(row: Exchange): void {
    this.#ended += this.#open.get(keyOf(row))?.amount ?? 0;
    this.#open.delete(keyOf(row));
  }
}

const keyOf = ({ run = "", step = "" }: Exchange): string => `${run} ${step}`;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
