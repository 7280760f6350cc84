/**
 * What an agent's use costs: the provider's own figure, else a price of the user's configuration, else one of the table
 * that Troupe brings with it.
 *
 * I1. What has none of these is named, and has no cost: never nought. A provider's nought for tokens is no figure: some
 *     say so of models that they know no price of. The table does not speak in its place, since the tokens may be free.
 * I2. Nothing is looked up on the network: the table is that of the package's version.
 */
import { own } from "../../machines/model.ts";
import { tellsTokens, type Usage } from "../agents/agent.ts";
import type { ModelPrice } from "../config/settings.ts";

/** The table's package, its version, and the day on which that was published. */
export const PRICE_TABLE = "@pydantic/genai-prices 0.1.8 of 2026-09-23";
const A_MILLION = 1_000_000;

/** A report of use with its cost, or with the name of what has no price. */
export type Priced = Usage & { priced?: string; unpriced?: string };
export type Pricing = (usage: Usage) => Priced;

/** `names`: what has no price is named in its reports. */
type Priceable = { provider: string; model: string | null; names: boolean };

/** `prices`: the user's, by model. The table is loaded only where it is needed. */
export async function pricing(
  { provider, model, names }: Priceable,
  prices: { readonly [model: string]: ModelPrice },
): Promise<Pricing> {
  const given = model === null ? undefined : own(prices, model);
  const listed = model === null || given !== undefined ? null : await listedPrice(model);
  const unpriced = model === null ? `${provider} (the model that it takes by itself)` : `${model} (${provider})`;
  return (usage) => {
    const { cost, ...uncosted } = usage;
    const { inputTokens, outputTokens, totalTokens } = uncosted;
    const isToldCost = cost !== undefined && (cost.amount > 0 || !tellsTokens(usage));
    if (isToldCost || (inputTokens ?? outputTokens ?? totalTokens) === undefined) return usage;
    // Where only the sum was told, all of it counts as what costs more.
    const tokens = {
      input: inputTokens ?? 0,
      output: outputTokens ?? (inputTokens === undefined ? (totalTokens ?? 0) : 0),
    };
    if (given !== undefined) {
      const amount = (tokens.input * given.input + tokens.output * given.output) / A_MILLION;
      return { ...usage, cost: { amount, currency: "USD" }, priced: "the configuration" };
    }
    const amount = cost === undefined ? (listed?.(tokens) ?? null) : null;
    if (amount === null) return names ? { ...uncosted, unpriced } : uncosted;
    return { ...usage, cost: { amount, currency: "USD" }, priced: PRICE_TABLE };
  };
}

type Tokens = { input: number; output: number };
/** Null where the table has no such model. */
async function listedPrice(model: string): Promise<((tokens: Tokens) => number | null) | null> {
  const { calcPrice } = await import("@pydantic/genai-prices");
  const price = (tokens: Tokens): number | null =>
    calcPrice({ input_tokens: tokens.input, output_tokens: tokens.output }, model)?.total_price ?? null;
  return price({ input: 1, output: 1 }) === null ? null : price;
}
