/** What is counted of a run for its last line. */
import type { RowOf } from "../../machines/exchange.ts";
import type { Fault } from "../../machines/model.ts";
import { StepUsage } from "../runs/usage.ts";
import { count } from "./words.ts";

/** `fault`: what the step has said that failed last. */
export type Tally = { steps: number; failed: number; retries: number; tokens: number; fault?: Fault | undefined };
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

/** One more step that has ended. */
export function countStep(tally: Tally, { status, error }: RowOf<"step.completed">["payload"]): void {
  tally.steps += 1;
  if (status !== "failed") return;
  tally.failed += 1;
  tally.fault = error;
}

/** A part counted into the whole. */
export function addTally(sum: Tally, part: Tally): void {
  sum.steps += part.steps;
  sum.failed += part.failed;
  sum.retries += part.retries;
  sum.tokens += part.tokens;
}

/** Tokens as rows report them: of one attempt of a step the last row counts, as wherever a run is summed up. */
export class Tokens {
  readonly #steps = new Map<string, StepUsage>();

  /** What a row adds to what was counted. `step`: names it in all of the log. */
  more(step: string, payload: RowOf<"usage.recorded">["payload"]): number {
    const usage = this.#steps.get(step) ?? new StepUsage();
    this.#steps.set(step, usage);
    const { before, after } = usage.see(payload);
    return after.tokens - before.tokens;
  }
  /** What comes now is another attempt's. */
  next(step: string): void {
    this.#steps.get(step)?.next();
  }
}
