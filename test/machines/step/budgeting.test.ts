import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Held } from "../../../machines/budget/budget.ts";
import { remedyWords } from "../../../machines/step/budgeting.ts";

const held = (costUsd: number): Held => ({
  limits: { costUsd },
  warnAt: 0.8,
  onBudget: "stop",
  of: "step",
  name: "each",
  run: "r1",
  step: "each",
});
const offered = (costUsd: number, most: number, spent: number): string =>
  remedyWords("r1", { held: held(costUsd), limit: "costUsd", most, spent });

describe("what lets a step go on that stopped at its budget", () => {
  it("is said as people write money", () => {
    expect(offered(0.3, 0.6, 0.6)).toBe("to go on, give a higher limit: troupe resume r1 --budget cost_usd=0.9");
  });

  it("is more than was spent, in few digits", () => {
    const money = fc.integer({ min: 1, max: 10_000_000 }).map((parts) => parts / 10_000);
    fc.assert(
      fc.property(money, money, (limit, spent) => {
        const amount = /cost_usd=(\S+)$/.exec(offered(limit, limit, spent))?.[1] ?? "";
        expect(Number(amount)).toBeGreaterThan(spent);
        expect(amount).toMatch(/^\d+(\.\d{1,4})?$/);
      }),
    );
  });
});
