/** What a step used, as far as its agents told: tokens, and costs by currency. */
import type { RowOf } from "../../machines/exchange.ts";

type Used = RowOf<"usage.recorded">["payload"];
/** `tokens`: all of them, where an agent tells no parts. `costs`: one of each currency. */
export type UsageSum = {
  inputTokens: number;
  outputTokens: number;
  tokens: number;
  costs: readonly { amount: number; currency: string }[];
};
export const NO_USAGE: UsageSum = { inputTokens: 0, outputTokens: 0, tokens: 0, costs: [] };

/** Of one step: the last row of an attempt takes the place of those before it. */
export class StepUsage {
  #ended = NO_USAGE;
  #open = NO_USAGE;

  see({ inputTokens = 0, outputTokens = 0, totalTokens, cost }: Used): void {
    const tokens = totalTokens ?? inputTokens + outputTokens;
    this.#open = { inputTokens, outputTokens, tokens, costs: cost === undefined ? [] : [cost] };
  }
  /** What comes now is another attempt's. */
  next(): void {
    this.#ended = this.sum();
    this.#open = NO_USAGE;
  }
  sum(): UsageSum {
    return addUsage(this.#ended, this.#open);
  }
}

export function addUsage(one: UsageSum, other: UsageSum): UsageSum {
  if (other === NO_USAGE) return one;
  const amounts = new Map<string, number>();
  for (const { amount, currency } of [...one.costs, ...other.costs])
    amounts.set(currency, (amounts.get(currency) ?? 0) + amount);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    tokens: one.tokens + other.tokens,
    // Sums of decimal fractions would show digits that nobody was charged.
    costs: [...amounts].map(([currency, amount]) => ({ currency, amount: Number(amount.toFixed(9)) })),
  };
}
