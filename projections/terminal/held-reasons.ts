/**
 * Why steps failed, held back until the next row: where their run ends of it, its end says it.
 *
 * I1. A reason is said once: at the step, where the run continues, or at the run's end.
 */
import type { Exchange, RowOf } from "../../machines/exchange.ts";
import { reasonLine } from "./run-words.ts";

type Held = { depth: number; text: string };
const CONTAINERS: ReadonlySet<string> = new Set(["parallel", "for_each", "while", "call_workflow"]);

export class HeldReasons {
  #held: Held[] = [];

  /** `depth`: where it would stand. A container that failed of a step says no more than that step. */
  hold({ payload }: RowOf<"step.completed">, depth: number): void {
    const text = reasonLine(payload);
    if (text !== null && (this.#held.length === 0 || !CONTAINERS.has(payload.kind))) this.#held.push({ depth, text });
  }

  /** What has to be said now, since this row comes next. */
  release(row: Exchange): readonly Held[] {
    if (this.#held.length === 0 || isFailure(row)) return NONE;
    const held = this.#held;
    this.#held = [];
    return held;
  }
  /** Its run's end has said it. */
  drop(): void {
    this.#held = [];
  }
}

const NONE: readonly Held[] = [];
const isFailure = (row: Exchange): boolean =>
  (row.type === "run.completed" || row.type === "step.completed" || row.type === "step.call_workflow.completed") &&
  row.payload.status === "failed";
