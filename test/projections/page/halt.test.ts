import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { haltOf } from "../../../projections/page/halt.ts";
import { RunHistory } from "../../../projections/page/history.ts";
import { Log, runStarted, stepCompleted, stepStarted } from "../terminal/rows.ts";

const of = (type: "notice" | "budget.noted", payload: object): Row => ({ type, run: "r1", step: "a", payload }) as Row;
const STOPS = [
  runStarted(),
  stepStarted("a", { kind: "agent" }),
  of("notice", { severity: "error", code: "EXECUTION.BUDGET.REACHED", message: "it stops" }),
];
const haltAfter = (...rows: Row[]) => {
  const log = new Log();
  const history = new RunHistory("r1");
  for (const row of [...STOPS, ...rows]) history.see(log.row(row));
  return haltOf(history);
};

describe("what a run has stopped at", () => {
  it("is a limit as the API takes it, with the words of the log", () => {
    const halt = { step: "a", words: "it stops" };
    expect(haltAfter(of("budget.noted", { is: "stopped", limit: "tokens", to: 220 }))).toEqual({
      ...halt,
      name: "tokens",
      value: "220",
    });
    expect(haltAfter(of("budget.noted", { is: "stopped", limit: "timeMs", to: 90_000 }))).toEqual({
      ...halt,
      name: "time",
      value: "90s",
    });
  });

  it("is nothing once more was given, at the step's end, and in logs that do not say which limit", () => {
    const stopped = of("budget.noted", { is: "stopped", limit: "tokens", to: 220 });
    expect(haltAfter()).toBeNull();
    expect(haltAfter(stopped, of("budget.noted", { is: "raised", budget: "b", limit: "tokens", to: 220 }))).toBeNull();
    expect(haltAfter(stopped, stepCompleted("a"))).toBeNull();
    expect(haltAfter(of("budget.noted", { is: "stopped" }))).toBeNull();
    expect(haltAfter(of("budget.noted", { is: "stopped", limit: "tokens" }))).toBeNull();
    expect(haltAfter(of("budget.noted", { is: "stopped", to: 220 }))).toBeNull();
  });

  it("is told in the words that were said before it, or in none", () => {
    const stopped = of("budget.noted", { is: "stopped", limit: "tokens", to: 220 });
    const later = of("notice", { severity: "info", message: "something else" });
    expect(haltAfter(stopped, later)?.words).toBe("it stops");
    const log = new Log();
    const history = new RunHistory("r1");
    for (const row of [runStarted(), stepStarted("a", { kind: "agent" }), stopped, later]) history.see(log.row(row));
    expect(haltOf(history)).toEqual({ step: "a", words: "", name: "tokens", value: "220" });
  });
});
