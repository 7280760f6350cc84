import { expect, test } from "vitest";
import type { BudgetNote, Exchange } from "../../../machines/exchange.ts";
import { budgetStop } from "../../../projections/runs/budget-stop.ts";

const began = (run: string): Exchange => ({ type: "run.started", run }) as unknown as Exchange;
const noted = (payload: BudgetNote): Exchange => ({ type: "budget.noted", run: "r", payload }) as unknown as Exchange;
const stopped = noted({ is: "stopped", limit: "agentTurns", to: 6 });
const after = (...rows: Exchange[]): string | null =>
  rows.reduce<string | null>((before, row) => budgetStop(row, "r", before), null);

test("a run that has stopped names the limit that lets it go on, until it is raised", () => {
  expect(after(began("r"))).toBeNull();
  expect(after(began("r"), stopped, noted({ is: "turn", turn: "t" }))).toBe("agent_turns=6");
  expect(after(began("r"), stopped, noted({ is: "raised", budget: "b", limit: "agentTurns", to: 6 }))).toBeNull();
});

test("what an earlier run of the session stopped at is none of it", () => {
  expect(after(stopped, began("r"))).toBeNull();
  expect(after(began("r"), stopped, began("called"))).toBe("agent_turns=6");
});
