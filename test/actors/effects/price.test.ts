/** What use costs: `actors/effects/price.ts`. */
import { expect, test } from "vitest";
import { PRICE_TABLE, pricing } from "../../../actors/effects/price.ts";
import manifest from "../../../package.json" with { type: "json" };

const USE = { inputTokens: 1_000_000, outputTokens: 1_000_000 };
const priced = async (model: string | null, prices = {}, use: object = USE) =>
  (await pricing({ provider: "codex", model, names: true }, prices))(use);

test("the provider's own figure comes first, then the user's, then the table; what has none is named (I1)", async () => {
  const cost = { amount: 9, currency: "USD" };
  expect(await priced("gpt-5", { "gpt-5": { input: 1, output: 2 } }, { ...USE, cost })).toEqual({ ...USE, cost });
  expect(await priced("gpt-5", { "gpt-5": { input: 1, output: 2 } })).toMatchObject({
    cost: { amount: 3, currency: "USD" },
    priced: "the configuration",
  });
  const nought = { ...USE, cost: { amount: 0, currency: "USD" } };
  expect(await priced("gpt-5", { "gpt-5": { input: 1, output: 2 } }, nought)).toMatchObject({ cost: { amount: 3 } });
  expect(await priced("gpt-5", {}, nought)).toEqual({ ...USE, unpriced: "gpt-5 (codex)" });
  const unused = { inputTokens: 0, outputTokens: 0, cost: nought.cost };
  expect(await priced("gpt-5", {}, unused)).toEqual(unused);
  const listed = await priced("gpt-5");
  expect(listed).toMatchObject({ priced: PRICE_TABLE, cost: { currency: "USD" } });
  expect(listed.cost?.amount).toBeGreaterThan(0);
  expect(await priced("no-such-model")).toEqual({ ...USE, unpriced: "no-such-model (codex)" });
  expect(await priced(null)).toMatchObject({ unpriced: "codex (the model that it takes by itself)" });
});

test("the table is named with the version that is installed", () => {
  expect(PRICE_TABLE).toContain(`${manifest.dependencies["@pydantic/genai-prices"]} of `);
});
