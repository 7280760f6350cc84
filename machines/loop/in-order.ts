/**
 * A `while`, or a `for_each` of AWF: one round after the other, each of which sees what those before it have left.
 *
 * I1. A round with an empty body takes no event.
 */
import type { LoopInput } from "../contracts.ts";
import type { Earlier } from "../model.ts";
import { COMPLETED, type Json, type LoopRest, type Settled } from "../model.ts";
import { judge } from "../workflow/conditions.ts";
import { labelOf } from "./label.ts";
import {
  type Move,
  mostRounds,
  newRound,
  OUTSIDE,
  over,
  type Position,
  type Round,
  scopeOf,
  type Warning,
  warned,
} from "./position.ts";
import { breaks, type RoundEnd, step, type Walked, walk } from "./round.ts";

/** Where a loop begins that an earlier run has left undone: at the round that did not end well, if its items are the same. */
export function goOnFrom({ items }: LoopInput, { rest }: Earlier): Position {
  if (!areSame(items, rest)) return OUTSIDE;
  return { ...OUTSIDE, next: Math.min(rest.next, ...rest.again), states: rest.states };
}

/** Where the items themselves were not kept: those of the rounds before, by what they are called. */
function areSame(items: Json[] | null, { items: known, labels, next }: LoopRest): boolean {
  if (labels === undefined) return JSON.stringify(items) === JSON.stringify(known);
  const names = (items ?? []).slice(0, next).map(labelOf);
  return names.length === next && names.every((name, index) => name !== null && name === labels[index]);
}

/** Null where the loop came to its own end. */
export function restOf({ items }: LoopInput, { stage, stopped }: Position): LoopRest | null {
  if (stage.is !== "over" || stage.outcome.status === "completed" || stopped === undefined) return null;
  return { items, next: stopped.index, again: [], states: stopped.before };
}

/** From the round that is next on. */
export function goOn(input: LoopInput, from: Position, before: readonly Warning[] = []): Move {
  const warnings = [...before];
  let position = from;
  for (;;) {
    const round = newRound(position.next);
    if (round.index >= mostRounds(input)) return ended(over(position, COMPLETED), warnings);
    if (input.node.type === "while") {
      const judged = judge(input.node.test, scopeOf(input, position.states, round));
      const told = warned(position, judged.warnings);
      position = told.position;
      warnings.push(...told.warnings);
      if (!judged.ok) return ended(over(position, { status: "failed", exitCode: 1, error: judged.fault }), warnings);
      if (!judged.holds) return ended(over(position, COMPLETED), warnings);
    }
    position = { ...position, next: round.index + 1 };
    if (input.node.body.length > 0) return carriedOut(input, step(input, position, round, warnings), null);
    const asked = breaks(input, position, round, null);
    warnings.push(...asked.warnings);
    position = asked.position;
    if (asked.holds) return ended(over(position, COMPLETED), warnings);
  }
}

/** After the state that runs has settled. */
export const settle = (input: LoopInput, from: Position, round: Round, settled: Settled): Move =>
  carriedOut(input, walk(input, from, round, settled), settled);

function carriedOut(input: LoopInput, walked: Walked, settled: Settled | null): Move {
  const { position, warnings } = walked;
  if (walked.type === "enter")
    return { position: { ...position, open: [walked.start.round] }, starts: [walked.start], warnings };
  const { end, round } = walked;
  return after(input, { ...position, open: [] }, round, end, warnings, settled);
}

function after(
  input: LoopInput,
  closed: Position,
  round: Round,
  end: RoundEnd,
  before: Warning[],
  settled: Settled | null,
): Move {
  const position = { ...closed, states: { ...closed.states, ...round.states } };
  switch (end.is) {
    case "left":
      return ended(over(position, COMPLETED, end.target), before);
    case "stopped": {
      const stopped = { index: round.index, before: closed.states };
      return ended(over({ ...position, stopped }, end.outcome), before);
    }
    case "done": {
      const asked = breaks(input, position, round, settled);
      const warnings = [...before, ...asked.warnings];
      return asked.holds ? ended(over(asked.position, COMPLETED), warnings) : goOn(input, asked.position, warnings);
    }
    default:
      return end satisfies never;
  }
}

const ended = (position: Position, warnings: Warning[]): Move => ({ position, starts: [], warnings });
