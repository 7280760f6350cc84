/** Budgets as data: which ones hold where, the lowest of each limit, and their words. */
import { describe, expect, it } from "vitest";
import {
  amountWords,
  budgetedIn,
  givenWords,
  type Held,
  heldId,
  lowest,
  ofRun,
  ofStep,
  ownerWords,
} from "../../../machines/budget/budget.ts";

const ABOVE: Held = { of: "user", name: "outer", run: "r0", step: null, limits: { tokens: 9 } };

describe("the lowest of two", () => {
  it("is taken limit by limit; what is done at one is the first's word (I1)", () => {
    expect(
      lowest(
        { limits: { costUsd: 2, tokens: 5 }, warnAt: 0.5 },
        { limits: { costUsd: 1, tokens: 7, timeMs: 3 }, warnAt: 0.9, onBudget: "stop" },
      ),
    ).toEqual({ limits: { costUsd: 1, tokens: 5, timeMs: 3 }, warnAt: 0.5, onBudget: "stop" });
    expect(lowest({ limits: { agentTurns: 0 } }, { limits: { agentTurns: 4 } })).toEqual({ limits: { agentTurns: 0 } });
  });
  it("is the one that is there", () => {
    const one = { limits: { tokens: 1 } };
    expect([lowest(one, undefined), lowest(undefined, one), lowest(undefined, undefined)]).toEqual([
      one,
      one,
      undefined,
    ]);
  });
});

describe("what holds for a run", () => {
  const birth = { self: "run/r1" as const, parentRun: null };
  it("is nothing where nobody says anything", () => {
    expect(ofRun(birth, { name: "w" })).toEqual({});
    expect(ofRun({ ...birth, budgets: [] }, { name: "w" })).toEqual({});
  });
  it("is what holds above it, then its user's, then its workflow's", () => {
    const [user, file] = [{ limits: { costUsd: 1 }, warnAt: 0.7 }, { limits: { timeMs: 5 } }];
    expect(ofRun({ ...birth, budget: user, budgets: [ABOVE] }, { name: "w", budget: file })).toEqual({
      budgets: [
        ABOVE,
        { ...user, of: "user", name: "w", run: "r1", step: null },
        { ...file, of: "workflow", name: "w", run: "r1", step: null },
      ],
    });
    expect(ofRun({ ...birth, budgets: [ABOVE] }, { name: "w" })).toEqual({ budgets: [ABOVE] });
  });
});

describe("what holds for a step", () => {
  const budget = { limits: { agentTurns: 2 } };
  const at = {
    origin: { run: "r1", step: "a/b" },
    node: { name: "b", budget },
    scope: { budgets: [ABOVE], inputs: 1 },
  };
  const held: Held = { ...budget, of: "step", name: "b", run: "r1", step: "a/b" };
  it("is its own, too, and steps below it see both", () => {
    expect(ofStep(at)).toEqual([ABOVE, held]);
    expect(ofStep({ ...at, scope: {} })).toEqual([held]);
    expect(budgetedIn(at)).toEqual({ ...at, scope: { budgets: [ABOVE, held], inputs: 1 } });
  });
  it("is what holds above it where it has none", () => {
    const plain = { ...at, node: { name: "b" } };
    expect([ofStep(plain), ofStep({ ...plain, scope: {} })]).toEqual([[ABOVE], []]);
    expect(budgetedIn(plain)).toBe(plain);
  });
  it("has an id of its own in the log", () => {
    expect([heldId(held), heldId(ABOVE)]).toEqual(["step r1 a/b", "user r0"]);
  });
});

describe("words", () => {
  it.each([
    ["costUsd", 0.12345, "$0.1235", "cost_usd=0.12345"],
    ["costUsd", 5, "$5", "cost_usd=5"],
    ["tokens", 1200.6, "1201 tokens", "tokens=1200.6"],
    ["agentTurns", 1, "1 agent turn", "agent_turns=1"],
    ["agentTurns", 3, "3 agent turns", "agent_turns=3"],
    ["timeMs", 90_000, "90s", "time=90s"],
    ["timeMs", 1_250, "1.3s", "time=1.3s"],
  ] as const)("%s %d is %s, given as %s", (name, amount, words, given) => {
    expect([amountWords(name, amount), givenWords(name, amount)]).toEqual([words, given]);
  });
  it("say whose a budget is", () => {
    expect((["user", "workflow", "step"] as const).map((of) => ownerWords({ of, name: "x" }))).toEqual([
      "your budget for this run",
      'the budget of workflow "x"',
      'the budget of step "x"',
    ]);
  });
});
