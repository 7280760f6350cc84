/** Covers `tally.ts`. */
import { expect, test } from "vitest";
import { addTally, countStep, nothing, Tokens, tallyWords } from "../../../projections/terminal/tally.ts";

test("only what there is of is told, but steps always", () => {
  expect(tallyWords(nothing())).toBe("0 steps");
  expect(tallyWords({ steps: 1, failed: 0, retries: 0, tokens: 1 })).toBe("1 step, 1 token");
  expect(tallyWords({ steps: 2, failed: 1, retries: 3, tokens: 1_000 })).toMatch(
    /^2 steps, 1 failed, 3 retried, 1.?000 tokens$/,
  );
});

test("a part counts into the whole", () => {
  const sum = { steps: 1, failed: 2, retries: 3, tokens: 4 };
  addTally(sum, { steps: 10, failed: 20, retries: 30, tokens: 40 });
  expect(sum).toEqual({ steps: 11, failed: 22, retries: 33, tokens: 44 });
});

test("of one attempt the last row counts, of several the sum, of steps each by itself", () => {
  const tokens = new Tokens();
  expect([
    tokens.more("a", { totalTokens: 5 }),
    tokens.more("a", { totalTokens: 8 }),
    tokens.more("b", { totalTokens: 1 }),
  ]).toEqual([...[5, 3, 1]]);
  tokens.next("a");
  tokens.next("unknown");
  expect([tokens.more("a", { totalTokens: 2 }), tokens.more("b", { totalTokens: 1 })]).toEqual([2, 0]);
});

test("the step that failed last leaves its fault, also when it has none", () => {
  const tally = nothing();
  const ended = (status: "failed" | "completed", code?: string) =>
    countStep(tally, {
      ...{ name: "a", kind: "command", status, exitCode: 1 },
      ...(code === undefined ? {} : { error: { code, message: "m" } }),
    });
  ended("failed", "X");
  ended("completed");
  expect(tally).toMatchObject({ steps: 2, failed: 1, fault: { code: "X", message: "m" } });
  ended("failed");
  expect(tally).toMatchObject({ steps: 3, failed: 2, fault: undefined });
});
