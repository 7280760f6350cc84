/**
 * A run as it was at one row of its log. The cost is that of its steps, not of its rows: dragging a slider asks for
 * many moments a second.
 *
 * I1. What a later row says is not seen.
 * I2. Who has asked is gone where no process runs: what is open then was cut off, and does not wait.
 * I3. The time of a moment is that of its last row; at the end of a log that still grows it is now.
 */
import { isDenied } from "../runs/denied.ts";
import type { StepState } from "../runs/tree.ts";
import { NO_USAGE, type UsageSum, UsageTotal } from "../runs/usage.ts";
import type { RunHistory, StepHistory, StepPause } from "./history.ts";

/** `isAlive`: whether what has no end runs, or waits. `now`: milliseconds since the epoch. */
export type MomentOptions = { seq: number | null; isAlive: boolean; now: number };
export type RunMoment = {
  seq: number;
  at: number;
  isEnd: boolean;
  isAlive: boolean;
};
export type StepMoment = {
  state: StepState;
  attempts: number;
  startedAt: number;
  /** Where it has none, the time of the moment. */
  until: number;
  exitCode: number | null;
  error: string | null;
  waits: readonly Pick<StepPause, "type" | "id">[];
};

/** How many rows stand up to a seq. */
export function countUpTo(rows: readonly { seq: number }[], seq: number): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rows[middle]?.seq ?? 0) <= seq) from = middle + 1;
    else to = middle;
  }
  return from;
}

export function momentOf(history: RunHistory, { seq, isAlive, now }: MomentOptions): RunMoment {
  const isEnd = seq === null || seq >= history.head;
  const last = history.timeAt(seq ?? history.head);
  const at = isEnd && isAlive ? Math.max(now, last) : last;
  return { seq: isEnd ? history.head : seq, at, isEnd, isAlive: isAlive || !isEnd };
}

/** Null before its beginning. */
export function stepAt(step: StepHistory, { seq, at, isAlive }: RunMoment): StepMoment | null {
  if (step.seq > seq) return null;
  const end = step.end !== null && step.end.seq <= seq ? step.end : null;
  const waits = end === null ? step.waits.filter((wait) => wait.seq <= seq && (wait.until?.seq ?? seq + 1) > seq) : [];
  const open: StepState = !isAlive ? "interrupted" : waits.length > 0 ? "waiting" : "running";
  return {
    state: end?.said.status ?? open,
    attempts: 1 + countUpTo(step.tries, seq),
    startedAt: step.at,
    until: end?.at ?? at,
    exitCode: isDenied(end?.said.error) ? null : (end?.said.exitCode ?? null),
    error: end?.said.error?.message ?? null,
    waits: waits.map(({ type, id }) => ({ type, id })),
  };
}

/** What the run had used, or a step and all below it. */
export function usageAt(steps: readonly StepHistory[], { seq }: RunMoment): UsageSum {
  const total = new UsageTotal();
  for (const { used } of steps) {
    const last = used[countUpTo(used, seq) - 1];
    if (last !== undefined) total.add({ before: NO_USAGE, after: last.sum });
  }
  return total.sum();
}
export const withBelow = (step: StepHistory): StepHistory[] => [step, ...step.steps.flatMap(withBelow)];

/** The state of a run, called or not. Null before its beginning. */
export function runAt(history: RunHistory, run: string, { seq, isAlive }: RunMoment): StepState | null {
  const begun = history.begun.get(run);
  const end = history.ended.get(run);
  if (end !== undefined && end.seq <= seq) return end.said.status;
  if (begun === undefined || begun.seq > seq) return null;
  if (!isAlive) return "interrupted";
  const waits = history.steps.some(
    (step) => step.run === run && step.waits.some((wait) => wait.seq <= seq && (wait.until?.seq ?? seq + 1) > seq),
  );
  return waits ? "waiting" : "running";
}
