/** Covers I1 to I3. */
import { expect, test } from "vitest";
import type { Exchange, RowOf } from "../../../machines/exchange.ts";
import { Spending } from "../../../projections/acp/spending.ts";
import type { View } from "../../../projections/acp/view.ts";

const updateOf = (view: View): object => (view as { update: object }).update;
const usd = (amount: number) => ({ amount, currency: "USD" });
/** A log in the making. */
function log() {
  const rows: Exchange[] = [];
  const put = (row: object) => rows[rows.push({ run: "r", seq: rows.length + 1, at: 1, ...row } as Exchange) - 1]!;
  return {
    cost: (step: string, cost: object) => put({ type: "usage.recorded", step, payload: { cost } }),
    usage: (payload: object) =>
      put({ type: "usage.recorded", step: "a", payload }) as Exchange<RowOf<"usage.recorded">>,
    end: (step: string) => put({ type: "step.completed", step, payload: {} }),
    note: () => put({ type: "notice", payload: {} }),
    read: (after: number, limit: number) => rows.slice(after, after + limit),
  };
}

test("an attempt's later word replaces its earlier one; attempts and steps add up (I1)", () => {
  const { cost, end } = log();
  const spending = new Spending();
  const add = (step: string, amount: number) => spending.add(cost(step, usd(amount)), usd(amount));
  expect([add("a", 0.1), add("a", 0.2), add("b", 0.1)]).toEqual([usd(0.1), usd(0.2), usd(0.3)]);
  spending.ended(end("a"));
  expect(add("a", 0.5)).toEqual(usd(0.8));
  spending.ended(end("a"));
  spending.ended(end("b"));
  expect(add("c", 0)).toEqual(usd(0.8));
});

test("attempts add up that no row tells apart (I1)", () => {
  const { usage } = log();
  const spending = new Spending();
  const add = (amount: number, more: object) => spending.add(usage({ cost: usd(amount), ...more }), usd(amount));
  expect([add(1, {}), add(2, { attempt: 2 }), add(3, { attempt: 2 })]).toEqual([usd(1), usd(3), usd(4)]);
});

test("another currency is not added (I2)", () => {
  const { cost } = log();
  const spending = new Spending();
  const add = (step: string, one: { amount: number; currency: string }) => spending.add(cost(step, one), one);
  add("a", usd(1));
  expect(add("b", { amount: 1, currency: "EUR" })).toBeNull();
  expect(add("b", usd(1))).toEqual(usd(2));
});

test("what was spent before a reader came, and while it was not there, belongs to the total (I3)", () => {
  const { cost, end, note, read } = log();
  cost("a", usd(1));
  end("a");
  for (let at = 0; at < 1_100; at++) note();
  cost("a", usd(2)); // an attempt that still runs
  let reads = 0;
  const spending = new Spending((after, limit) => {
    reads++;
    return read(after, limit);
  });
  spending.ended(note());
  expect(reads).toBe(0);
  expect(spending.add(cost("a", usd(3)), usd(3))).toEqual(usd(4));
  end("a"); // unseen
  const last = cost("a", usd(5));
  expect(spending.add(last, usd(5))).toEqual(usd(9));
  expect(spending.add(last, usd(5))).toEqual(usd(9)); // another reader's look at the same row
});

test("a row is shown where it says how much of which window is used, with the session's cost where that has one", () => {
  const { usage } = log();
  const spending = new Spending();
  const shown = (payload: object): object[] => {
    const views: View[] = [];
    spending.show(usage(payload), views);
    return views.map(updateOf);
  };
  const window = (used: number, size: number) => ({ sessionUpdate: "usage_update", used, size });
  const late: View[] = [];
  spending.tell(0, late);
  expect(late).toEqual([]);
  expect(shown({ used: 0, size: 0 })).toEqual([window(0, 0)]);
  expect(shown({ used: 5, size: 9, cost: usd(1) })).toEqual([{ ...window(5, 9), cost: usd(1) }]);
  expect(shown({ used: 6, size: 9, cost: { amount: 1, currency: "EUR" } })).toEqual([window(6, 9)]);
  for (const odd of [{ used: -1, size: 9 }, { used: 1.5, size: 9 }, { used: 1, size: -1 }, { used: 1 }, { size: 1 }])
    expect(shown(odd)).toEqual([]);
  spending.tell(0, late);
  expect(late.map(updateOf)).toEqual([window(6, 9)]);
});

test("rows are read in pages, only those before the row, and none where the last one was just before it (I3)", () => {
  const { cost, note, read } = log();
  for (let at = 0; at < 511; at++) note();
  const reads: [number, number][] = [];
  const spending = new Spending((after, limit) => {
    reads.push([after, limit]);
    return read(after, limit);
  });
  cost("a", usd(1)); // with it a page is full
  note();
  const later = cost("b", usd(2));
  cost("c", usd(4)); // there is more in the log than the row that is looked at
  expect(spending.add(later, usd(2))).toEqual(usd(3));
  expect(reads).toEqual([
    [0, 512],
    [512, 512],
  ]);
  reads.length = 0;
  expect(spending.add(cost("d", usd(8)), usd(8))).toEqual(usd(15));
  expect(reads).toHaveLength(1);
  reads.length = 0;
  expect(spending.add(cost("e", usd(16)), usd(16))).toEqual(usd(31));
  expect(reads).toEqual([]);
});
