/** Covers I1 to I3. */
import { expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { Spending } from "../../../projections/acp/spending.ts";

const usd = (amount: number) => ({ amount, currency: "USD" });
/** A log in the making. */
function log() {
  const rows: Exchange[] = [];
  const put = (row: object) => rows[rows.push({ run: "r", seq: rows.length + 1, at: 1, ...row } as Exchange) - 1]!;
  return {
    cost: (step: string, cost: object) => put({ type: "usage.recorded", step, payload: { cost } }),
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
