/** Covers `uses.ts`, and what `spans.ts` makes of it. */
import { expect, test } from "vitest";
import { measuresOf } from "../../../projections/spans/measures.ts";
import { SpanUses } from "../../../projections/spans/uses.ts";
import { ended, RUN, rowsOf, spansOf, step } from "./span-rows.ts";

const usd = (amount: number) => ({ cost: { amount, currency: "USD" } });

test("of one attempt the last word counts, and attempts within a span add up (I1)", () => {
  const uses = new SpanUses();
  uses.more("s", { inputTokens: 1, outputTokens: 1, ...usd(1) });
  expect(uses.more("s", { inputTokens: 3 })).toEqual({
    ...{ "gen_ai.usage.input_tokens": 3, "gen_ai.usage.output_tokens": 1 },
    ...{ "troupe.cost": 1, "troupe.cost.currency": "USD" },
  });
  expect(uses.more("s", { attempt: 2, inputTokens: 10, totalTokens: 11, ...usd(2) })).toEqual({
    ...{ "gen_ai.usage.input_tokens": 13, "gen_ai.usage.output_tokens": 1, "troupe.usage.total_tokens": 11 },
    ...{ "troupe.cost": 3, "troupe.cost.currency": "USD" },
  });
  expect(uses.more("s", { attempt: 3, cost: { amount: 5, currency: "EUR" } })).toMatchObject({ "troupe.cost": 5 });
  uses.end("s");
  expect(uses.more("s", { attempt: 3, inputTokens: 2 })).toEqual({ "gen_ai.usage.input_tokens": 2 });
});

test("tokens are counted of an answer and of the turn that mended it", async () => {
  const used = (payload: object) => ({ type: "usage.recorded", run: "r", step: "a", payload }) as never;
  const all = await spansOf(
    rowsOf([
      [0, RUN],
      [1, step("a")],
      [2, used({ inputTokens: 1000, outputTokens: 10 })],
      [3, used({ inputTokens: 200, outputTokens: 5, attempt: 2 })],
      [4, ended("a")],
    ]),
  );
  const tokens = all.flatMap(measuresOf).filter(({ name }) => name === "troupe.tokens");
  expect(tokens.map(({ value }) => value)).toEqual([1200, 15]);
});
