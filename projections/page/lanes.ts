/**
 * A run over time: one lane a step, what it is part of above it, and one cell a round of a loop.
 *
 * I1. Of a loop with many rounds every round is seen as a cell; lanes are shown for those that are open, for the ones at
 *     work and for the first that failed.
 * I2. Times are milliseconds since the epoch; what has not ended ends at the moment.
 */
import type { StepState } from "../runs/tree.ts";
import type { RunHistory, StepHistory } from "./history.ts";
import { type RunMoment, type StepMoment, stepAt } from "./moment.ts";

export type RoundCell = { round: number; item: string | null; state: StepState; address: string };
export type Lane = {
  address: string;
  name: string;
  kind: StepHistory["kind"];
  depth: number;
  round: number | null;
  item: string | null;
  at: StepMoment;
  /** When it waited for a person. */
  waits: { from: number; to: number }[];
  /** When it was tried anew. */
  tries: number[];
  rounds: RoundCell[];
  /** Whether something stands below it, and whether that is shown. */
  fold: "none" | "open" | "closed";
};
/** `open`: addresses of steps, and of rounds as `each[3]`, that were opened; `closed`: of steps that were closed. */
export type Folds = { open: ReadonlySet<string>; closed: ReadonlySet<string> };

/** So many rounds that failed are shown without having been opened. */
const FAILED_SHOWN = 3;
const LOOPS: ReadonlySet<string> = new Set(["for_each", "while"]);

export function lanesOf(history: RunHistory, moment: RunMoment, folds: Folds): Lane[] {
  const lanes: Lane[] = [];
  const add = (steps: readonly StepHistory[], depth: number): void => {
    for (const step of steps) {
      const at = stepAt(step, moment);
      if (at === null) continue;
      const rounds = LOOPS.has(step.kind) ? roundsOf(step, moment) : [];
      const hasBelow = step.steps.some(({ seq }) => seq <= moment.seq);
      const isOpen = hasBelow && !folds.closed.has(step.address);
      lanes.push({
        ...laneOf(step, at, moment),
        depth,
        rounds,
        fold: hasBelow ? (isOpen ? "open" : "closed") : "none",
      });
      if (!isOpen) continue;
      const shown = rounds.length === 0 ? null : shownRounds(step, rounds, folds);
      add(
        shown === null ? step.steps : step.steps.filter(({ round }) => round === null || shown.has(round)),
        depth + 1,
      );
    }
  };
  add(history.roots, 0);
  return lanes;
}

function laneOf(step: StepHistory, at: StepMoment, moment: RunMoment): Omit<Lane, "depth" | "rounds" | "fold"> {
  const { address, name, kind, round, item } = step;
  const waits = step.waits
    .filter(({ seq }) => seq <= moment.seq)
    .map((wait) => ({
      from: wait.at,
      to: wait.until !== null && wait.until.seq <= moment.seq ? wait.until.at : moment.at,
    }));
  return {
    address,
    name,
    kind,
    round,
    item,
    at,
    waits,
    tries: step.tries.filter(({ seq }) => seq <= moment.seq).map((one) => one.at),
  };
}

/** The rounds of a loop that have begun, in order; the address is of the step that says most of it. */
export function roundsOf(loop: StepHistory, moment: RunMoment): RoundCell[] {
  const rounds = new Map<number, RoundCell>();
  for (const step of loop.steps) {
    const at = step.round === null ? null : stepAt(step, moment);
    if (at === null || step.round === null) continue;
    const known = rounds.get(step.round);
    const says = known === undefined || WEIGHT[at.state] >= WEIGHT[known.state];
    if (says) rounds.set(step.round, { round: step.round, item: step.item, state: at.state, address: step.address });
  }
  return [...rounds.values()].sort((a, b) => a.round - b.round);
}
const WEIGHT: { readonly [state in StepState]: number } = {
  completed: 0,
  skipped: 1,
  cancelled: 2,
  interrupted: 3,
  running: 4,
  failed: 5,
  waiting: 6,
};

export const roundAddress = (loop: string, round: number): string => `${loop}[${round}]`;

/** I1. */
function shownRounds(loop: StepHistory, rounds: readonly RoundCell[], { open }: Folds): Set<number> {
  const failed = rounds.filter(({ state }) => state === "failed").slice(0, FAILED_SHOWN);
  const busy = rounds.filter(({ state }) => state === "running" || state === "waiting");
  const opened = rounds.filter(({ round }) => open.has(roundAddress(loop.address, round)));
  const shown = [...failed, ...busy, ...opened];
  const few = rounds.length <= FAILED_SHOWN ? rounds : shown.length === 0 ? rounds.slice(-1) : shown;
  return new Set(few.map(({ round }) => round));
}
