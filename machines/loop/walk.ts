/**
 * Where a loop stands, as a pure reducer over data: `begin` and `settle` return the new position and what to do next.
 * Rounds go one after the other (`in-order.ts`) or at once (`at-once.ts`); what happens in one is the same
 * (`round.ts`).
 */
import type { LoopInput } from "../contracts.ts";
import { allOf } from "../kept-results.ts";
import { CANCELLED, COMPLETED, type RoundResult, type Settled } from "../model.ts";
import { type Changed, overlapsIn, overlapsOf, withOverlaps } from "../worktree/overlaps.ts";
import * as atOnce from "./at-once.ts";
import * as inOrder from "./in-order.ts";
import { fannedOf, type Move, OUTSIDE, over, type Position, roundOf } from "./position.ts";

export function begin(input: LoopInput): Move {
  const fanned = fannedOf(input);
  const { earlier } = input;
  if (fanned === null) return inOrder.goOn(input, earlier === undefined ? OUTSIDE : inOrder.goOnFrom(input, earlier));
  return atOnce.fill(input, fanned, earlier === undefined ? OUTSIDE : atOnce.goOnFrom(input, earlier));
}

/** After the step of this path has settled. */
export function settle(input: LoopInput, from: Position, path: string, settled: Settled): Move {
  const round = roundOf(input, from, path);
  if (round === undefined) return { position: from, starts: [], warnings: [] };
  const fanned = fannedOf(input);
  if (fanned !== null) return atOnce.settle(input, fanned, from, round, settled);
  // What ends after a cancel is not judged any more.
  if (from.stage.is === "over") return { position: { ...from, open: [] }, starts: [], warnings: [] };
  return inOrder.settle(input, from, round, settled);
}

export function cancelled(input: LoopInput, position: Position): Position {
  const [round] = position.open;
  const stopped =
    fannedOf(input) === null && round !== undefined ? { index: round.index, before: position.states } : null;
  return over(stopped === null ? position : { ...position, stopped }, CANCELLED);
}

/** What a loop reports to its owner when it has ended. */
export function settledAs(input: LoopInput, position: Position): Settled {
  const { stage } = position;
  const end = stage.is === "over" ? { outcome: stage.outcome, left: stage.left } : { outcome: COMPLETED, left: null };
  const isFanned = fannedOf(input) !== null;
  const rest = isFanned ? atOnce.restOf(input, position) : inOrder.restOf(input, position);
  const states = allOf(position);
  const rounds = overlapping(
    input,
    (Object.values(states) as RoundResult[]).sort((a, b) => a.Index - b.Index),
  );
  return {
    ...end,
    states: isFanned ? {} : states,
    ...(isFanned ? { rounds } : {}),
    ...(rest === null ? {} : { rest }),
  };
}

/** Rounds at once, each with what another one has changed too in a tree of its own; they are named as messages name them. */
function overlapping(input: LoopInput, rounds: RoundResult[]): RoundResult[] {
  const changed: Changed = {};
  for (const { Index, Worktree } of rounds) if (Worktree !== undefined) changed[`${Index}`] = Worktree.changed;
  const overlaps = overlapsIn(changed);
  if (overlaps.size === 0) return rounds;
  return rounds.map((each) => {
    const own = overlapsOf(overlaps, `${each.Index}`);
    const named = own.map(({ file, with: others }) => ({
      file,
      with: others.map((index) => atOnce.nameOf(input, Number(index))),
    }));
    return withOverlaps(each, named);
  });
}
