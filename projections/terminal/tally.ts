/** What is counted of a run for its last line. */
import { count } from "./words.ts";

export type Tally = { steps: number; failed: number; retries: number; tokens: number };
export const nothing = (): Tally => ({ steps: 0, failed: 0, retries: 0, tokens: 0 });

export const tallyWords = ({ steps, failed, retries, tokens }: Tally): string =>
  [
    count(steps, "step"),
    failed > 0 ? `${failed} failed` : "",
    retries > 0 ? `${retries} retried` : "",
    tokens > 0 ? count(tokens, "token") : "",
  ]
    .filter((word) => word !== "")
    .join(", ");

/** A part counted into the whole. */
export function addTally(sum: Tally, part: Tally): void {
  sum.steps += part.steps;
  sum.failed += part.failed;
  sum.retries += part.retries;
  sum.tokens += part.tokens;
}
