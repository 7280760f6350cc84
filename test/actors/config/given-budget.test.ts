/** A budget on a command line: `actors/config/given-budget.ts`. */
import { expect, test } from "vitest";
import { givenBudget } from "../../../actors/config/given-budget.ts";

test("names and values are read as in a file", () => {
  expect(givenBudget("cost_usd=5, tokens=2e6,agent_turns=20,time=30m,warn_at=0.5,on_budget=stop")).toEqual({
    limits: { costUsd: 5, tokens: 2_000_000, agentTurns: 20, timeMs: 1_800_000 },
    warnAt: 0.5,
    onBudget: "stop",
  });
});

test.each([
  ["tokns=1", "did you mean tokens?"],
  ["tokens", "expected name=value"],
  ["tokens=many", "tokens must be a number above 0"],
  ["tokens=0", "tokens must be a number above 0"],
  ["tokens=1,tokens=2", "tokens is given twice"],
  ["time=soon", "time must be a duration"],
  ["on_budget=wait", "on_budget must be one of ask, stop, fallback_model"],
])("%s is refused", (text, said) => {
  expect(() => givenBudget(text)).toThrow(said);
});
