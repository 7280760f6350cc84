import { expect, test } from "vitest";
import { NO_USAGE, StepUsage, UsageTotal } from "../../../projections/runs/usage.ts";

const usd = (amount: number) => ({ cost: { amount, currency: "USD" } });

test("the last row of an attempt takes the place of those before it", () => {
  const [step, total] = [new StepUsage(), new UsageTotal()];
  total.add(step.see({ inputTokens: 1, outputTokens: 2, ...usd(1) }));
  total.add(step.see({ inputTokens: 10, outputTokens: 20, ...usd(3) }));
  expect(total.sum()).toEqual({
    ...{ inputTokens: 10, outputTokens: 20, tokens: 30 },
    costs: [{ amount: 3, currency: "USD" }],
  });
  step.next();
  total.add(step.see({ inputTokens: 1, ...usd(0.5) }));
  expect(total.sum()).toEqual({
    ...{ inputTokens: 11, outputTokens: 20, tokens: 31 },
    costs: [{ amount: 3.5, currency: "USD" }],
  });
});

test("all tokens are what is told of them, else the parts", () => {
  const step = new StepUsage();
  expect(step.see({ totalTokens: 9, inputTokens: 1 })).toEqual({
    before: NO_USAGE,
    after: { inputTokens: 1, outputTokens: 0, tokens: 9, costs: [] },
  });
  expect(step.see({ outputTokens: 4 }).after).toEqual({ inputTokens: 0, outputTokens: 4, tokens: 4, costs: [] });
});

test("costs are summed by currency, without digits that nobody was charged", () => {
  const total = new UsageTotal();
  for (const cost of [usd(0.1), usd(0.2), { cost: { amount: 1, currency: "EUR" } }])
    total.add(new StepUsage().see(cost));
  expect(total.sum().costs).toEqual([
    { amount: 0.3, currency: "USD" },
    { amount: 1, currency: "EUR" },
  ]);
});

test("attempts add up that no row tells apart: a mended answer, an agent that stands in", () => {
  const [step, total] = [new StepUsage(), new UsageTotal()];
  const used = (inputTokens: number, more: object) => total.add(step.see({ inputTokens, ...more }));
  used(1, usd(1));
  used(5, { ...usd(3), attempt: 2 });
  used(10, { ...usd(4), attempt: 2 });
  used(100, { ...usd(5), attempt: 3 });
  expect(total.sum()).toMatchObject({ tokens: 111, costs: [{ amount: 10, currency: "USD" }] });
});
