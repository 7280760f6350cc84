/** What a step used, as far as its agents reported: tokens, and costs by currency. */
import type { RowOf } from "../../machines/exchange.ts";

type Used = RowOf<"usage.recorded">["payload"];
/** `tokens`: all of them, where an agent reports no parts. `costs`: one of each currency. */
export type UsageSum = {
  inputTokens: number;
  outputTokens: number;
  tokens: number;
  costs: readonly { amount: number; currency: string }[];
};
export const NO_USAGE: UsageSum = { inputTokens: 0, outputTokens: 0, tokens: 0, costs: [] };
/** What one row takes back, and what it says. */
export type UsageChange = { before: UsageSum; after: UsageSum };

/** Of one step: the last row of an attempt takes the place of those before it. */
export class StepUsage {
  #open = NO_USAGE;
  #attempt = 1;

  see({ inputTokens = 0, outputTokens = 0, totalTokens, cost, attempt = 1 }: Used): UsageChange {
    // An answer that is mended, or an agent that stands in, is an attempt without a row that says so.
    if (attempt !== this.#attempt) this.next();
    this.#attempt = attempt;
    const before = this.#open;
    const tokens = totalTokens ?? inputTokens + outputTokens;
    this.#open = { inputTokens, outputTokens, tokens, costs: cost === undefined ? [] : [cost] };
    return { before, after: this.#open };
  }
  /** What comes now is another attempt's. */
  next(): void {
    this.#open = NO_USAGE;
  }
}

/** A sum that is kept. */
export class UsageTotal {
  #inputTokens = 0;
  #outputTokens = 0;
  #tokens = 0;
  readonly #costs = new Map<string, number>();

  add({ before, after }: UsageChange): void {
    this.#inputTokens += after.inputTokens - before.inputTokens;
    this.#outputTokens += after.outputTokens - before.outputTokens;
    this.#tokens += after.tokens - before.tokens;
    for (const { amount, currency } of after.costs) this.#cost(currency, amount);
    for (const { amount, currency } of before.costs) this.#cost(currency, -amount);
  }
  sum(): UsageSum {
    return {
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      tokens: this.#tokens,
      // Sums of decimal fractions would show digits that were not charged.
      costs: [...this.#costs].map(([currency, amount]) => ({ currency, amount: Number(amount.toFixed(9)) })),
    };
  }

  #cost(currency: string, amount: number): void {
    this.#costs.set(currency, (this.#costs.get(currency) ?? 0) + amount);
  }
}
