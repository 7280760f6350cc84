/**
 * A `for_each` that fans out: at most `max_concurrent` rounds at once, judged together by its strategy.
 *
 * I1. Rounds begin in the order of the items, and their results stand in that order, whichever ends first.
 * I2. A round sees what stood before the loop and what its own states have left; nothing of other rounds.
 * I3. A verdict once given is not changed by a round that ends later; how that one ended is kept. One that cancels
 *     itself (a denied approval that aborts the run) cancels the whole, whatever the strategy.
 * I4. Where `break_when` holds, what runs continues to its end, and no other round begins.
 * I5. What is kept of a round does not grow with the rounds before it, but for those that did not end well.
 */
import type { LoopInput } from "../contracts.ts";
import { added } from "../kept-results.ts";
import type { Earlier } from "../model.ts";
import {
  COMPLETED,
  type Json,
  type LoopRest,
  type Outcome,
  own,
  type RoundResult,
  type Settled,
  type StateResults,
} from "../model.ts";
import { judgeBy } from "../strategy.ts";
import { FAILURE_EXIT, type Fanned } from "../workflow/document.ts";
import { RUN_SKIPPED } from "../workflow/route.ts";
import { labelOf } from "./label.ts";
import {
  fannedOf,
  type Move,
  mostRounds,
  newRound,
  OUTSIDE,
  over,
  type Position,
  type Round,
  resultKey,
  type StateStart,
  type Warning,
} from "./position.ts";
import { breaks, outcomeOf, type RoundEnd, step, type Walked, walk } from "./round.ts";

const hasMore = (input: LoopInput, { again, next }: Position): boolean => again.length > 0 || next < mostRounds(input);

/**
 * Where a loop begins that an earlier run has left undone: rounds that ended well there are not run again, whichever
 * place their items have now.
 */
export function goOnFrom(input: LoopInput, { rest, rounds }: Earlier): Position {
  const undone = new Set(rest.again);
  const { items, labels = [] } = rest;
  const keyOf = (item: Json): string | null => (items === null ? labelOf(item) : JSON.stringify(item));
  const done = new Map<string, number[]>();
  (items?.map(keyOf) ?? labels).slice(0, rest.next).forEach((name, index) => {
    if (undone.has(index) || name === null) return;
    const known = done.get(name);
    if (known === undefined) done.set(name, [index]);
    else known.push(index);
  });
  const left = new Map(rounds.map((round) => [round.Index, round]));
  const position = { ...OUTSIDE, next: mostRounds(input), again: [] as number[], states: {} as StateResults };
  (input.items ?? []).slice(0, mostRounds(input)).forEach((item, index) => {
    const was = done.get(keyOf(item) ?? "")?.shift();
    if (was === undefined) {
      position.again.push(index);
      return;
    }
    position.succeeded += 1;
    const result = left.get(was);
    if (result !== undefined) position.states[resultKey(index)] = { ...result, Index: index } as RoundResult;
  });
  return { ...position, taken: position.succeeded };
}

/**
 * What is left undone, where anything is; of a loop that has ended. One that came to its own end wanted no more rounds:
 * it leaves those that failed, unless one that succeeded was enough.
 */
export function restOf(input: LoopInput, position: Position): LoopRest | null {
  const { items } = input;
  const { next, again, failed, skipped, unfinished, stage } = position;
  const bad = [...failed, ...skipped];
  if (stage.is === "over" && stage.outcome.status === "completed") {
    const isEnough = bad.length === 0 || fannedOf(input)?.strategy === "any_succeed";
    return isEnough ? null : { items, next: mostRounds(input), again: inOrder(bad), states: {} };
  }
  const undone = [...again, ...bad, ...unfinished];
  if (undone.length === 0 && next >= mostRounds(input)) return null;
  return { items, next, again: inOrder(undone), states: {} };
}
const inOrder = (indexes: readonly number[]): number[] => indexes.toSorted((a, b) => a - b);

/** Begins as many rounds as there is room for. */
export function fill(input: LoopInput, fanned: Fanned, from: Position, before: readonly Warning[] = []): Move {
  const warnings = [...before];
  const starts: StateStart[] = [];
  const room = fanned.maxConcurrent === 0 ? Number.POSITIVE_INFINITY : fanned.maxConcurrent;
  let position = decided(input, fanned, from);
  const open = [...position.open];
  while (position.stage.is === "under way" && open.length < room && hasMore(input, position)) {
    const [first, ...again] = position.again;
    const round = newRound(first ?? position.next);
    position = first === undefined ? { ...position, next: round.index + 1 } : { ...position, again };
    const walked = step(input, position, round, []);
    if (walked.type === "enter") {
      open.push(walked.start.round);
      starts.push(walked.start);
    } else {
      const closed = close(input, { ...position, open }, round, walked, null);
      position = decided(input, fanned, closed.position);
      warnings.push(...closed.warnings);
    }
  }
  return { position: { ...position, open }, starts, warnings };
}

/** After the state that a round runs has settled. */
export function settle(input: LoopInput, fanned: Fanned, from: Position, round: Round, settled: Settled): Move {
  const walked = walk(input, from, round, settled);
  const { position, warnings } = walked;
  const others = from.open.filter(({ index }) => index !== round.index);
  if (walked.type === "end") {
    const closed = close(input, { ...position, open: others }, round, walked, settled);
    return fill(input, fanned, closed.position, [...warnings, ...closed.warnings]);
  }
  if (from.stage.is === "over") {
    const unfinished = [...from.unfinished, round.index];
    return { position: { ...from, open: others, unfinished }, starts: [], warnings: [] };
  }
  const open = from.open.map((each) => (each.index === round.index ? walked.start.round : each));
  return { position: { ...position, open }, starts: [walked.start], warnings };
}

type Closed = { position: Position; warnings: Warning[] };

/** Counts a round that has ended, and keeps what is read of it. `at`: as it was when its last state ran. */
function close(
  input: LoopInput,
  from: Position,
  at: Round,
  { end, round }: Extract<Walked, { type: "end" }>,
  settled: Settled | null,
): Closed {
  const position = kept(input, counted(from, round.index, end), at, end, settled);
  if (end.is === "stopped" || position.stage.is !== "under way") return { position, warnings: [] };
  const asked = breaks(input, position, round, settled);
  const stage = asked.holds ? ({ is: "winding up" } as const) : position.stage;
  return { position: { ...asked.position, stage }, warnings: asked.warnings };
}

function counted(from: Position, index: number, end: RoundEnd): Position {
  const outcome = outcomeOf(end);
  switch (outcome.status) {
    case "completed":
      return { ...from, succeeded: from.succeeded + 1 };
    case "failed":
      return { ...from, failed: [...from.failed, index] };
    case "skipped":
      return { ...from, skipped: [...from.skipped, index] };
    case "cancelled": {
      const position = { ...from, unfinished: [...from.unfinished, index] };
      return from.stage.is === "over" ? position : over(position, outcome);
    }
    default:
      return outcome.status satisfies never;
  }
}

/** With what the state that the round ended with has left, where something reads the loop's results. */
function kept(input: LoopInput, position: Position, at: Round, end: RoundEnd, settled: Settled | null): Position {
  const { keep, node, items } = input;
  if (keep !== "all" && !keep.includes(node.name)) return position;
  const { status, exitCode } = outcomeOf(end);
  const result: RoundResult = {
    ...{ Output: "", Stderr: "", ExitCode: exitCode },
    ...(settled === null ? {} : own(settled.states, node.body[at.cursor] ?? "")),
    ...{ Status: status, Item: items?.[at.index] ?? null, Index: at.index },
  };
  return { ...position, ...added(position, { [resultKey(at.index)]: result }) };
}

/** With the verdict, where there is one. */
function decided(input: LoopInput, { strategy }: Fanned, position: Position): Position {
  if (position.stage.is === "over") return position;
  const { open, failed, skipped, taken = 0 } = position;
  const isOver = open.length === 0 && (position.stage.is === "winding up" || !hasMore(input, position));
  // What was taken over is enough in the end alone: the rounds that are to run again come first.
  const succeeded = position.succeeded - (isOver ? 0 : taken);
  const tally = { succeeded, failed: failed.length, isSkipped: skipped.length > 0, isOver };
  const verdict = judgeBy(strategy, tally);
  switch (verdict) {
    case "waits":
      return position;
    case "completed":
      return over(position, COMPLETED);
    // No round at all is no failure.
    case "failed":
      return over(position, mostRounds(input) === 0 ? COMPLETED : failure(input, position));
    case "skipped":
      return over(position, notApproved(input, position));
    default:
      return verdict satisfies never;
  }
}

const MOST_NAMED = 8;
/** What a round is called for people: its item, or its number, counted from 1. */
export const nameOf = ({ items }: Pick<LoopInput, "items">, index: number): string =>
  labelOf(items?.[index] ?? null) ?? `${index + 1}`;

function failure(input: LoopInput, { failed, skipped }: Position): Outcome {
  const bad = [...failed, ...skipped].sort((a, b) => a - b);
  const named = bad.slice(0, MOST_NAMED).map((index) => nameOf(input, index));
  const more = bad.length > MOST_NAMED ? `, and ${bad.length - MOST_NAMED} more` : "";
  const message = `${bad.length} of ${mostRounds(input)} rounds of "${input.node.name}" failed: ${named.join(", ")}${more}`;
  return { status: "failed", exitCode: 1, error: { code: "EXECUTION.LOOP.PARTIAL_FAILURE", message } };
}

function notApproved(input: LoopInput, { skipped }: Position): Outcome {
  const which = nameOf(input, Math.min(...skipped));
  const message = `round ${which} of "${input.node.name}" was not approved, and no on_skip leads on`;
  return { status: "skipped", exitCode: FAILURE_EXIT, error: { code: RUN_SKIPPED, message } };
}
