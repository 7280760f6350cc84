/** Where a loop stands: data that its machine stores, and what every walk over it needs. */
import type { LoopInput } from "../contracts.ts";
import type { Results } from "../kept-results.ts";
import type { Outcome, StateResults } from "../model.ts";
import type { LoopScope, Scope } from "../scope.ts";
import type { Fanned } from "../workflow/document.ts";
import { freshOf } from "../workflow/route.ts";

/** A round that is under way. */
export type Round = {
  /** Counted from 0, in the order of the items. */
  index: number;
  /** Index in the body of the state that runs. */
  cursor: number;
  /** States entered in this round, and how often each. */
  hops: number;
  visits: { [state: string]: number };
  /** What its states have left. */
  states: StateResults;
};
/**
 * `winding up`: what runs continues to its end, and no other round begins. `left`: the state outside that it leads to.
 */
export type LoopStage =
  | { is: "under way" }
  | { is: "winding up" }
  | { is: "over"; outcome: Outcome; left: string | null };
/**
 * Its results are what earlier rounds have left for later ones, in a loop in order; of rounds that run at once, what
 * each has left, by `resultKey`, where something reads it.
 */
export type Position = Results & {
  /** The index of the round that begins next. */
  next: number;
  /** The rounds under way; in a loop in order one at most. */
  open: Round[];
  /** Warnings of conditions that have been given: each is given once. */
  warned: string[];
  /** Of rounds that run at once: how many ended well, which otherwise, and which were stopped before their end. */
  succeeded: number;
  failed: number[];
  skipped: number[];
  unfinished: number[];
  /** Rounds before `next` that are to run, in order: of a loop that an earlier run has left undone. */
  again: number[];
  /** How many of those that ended well did so in that run. */
  taken?: number;
  /** Of a loop in order that a round has ended: which one, and what those before it had left. */
  stopped?: { index: number; before: StateResults };
  stage: LoopStage;
};
/** What a reader of the log should know. A fault has a code. */
export type Warning = { message: string; code?: string };
/** The state that a round runs next; `path` is the id of its step. */
export type StateStart = { round: Round; name: string; path: string };
/** `starts`: run these states now. `warnings` become notices. */
export type Move = { position: Position; starts: StateStart[]; warnings: Warning[] };

export const OUTSIDE: Position = {
  next: 0,
  open: [],
  states: {},
  warned: [],
  succeeded: 0,
  failed: [],
  skipped: [],
  unfinished: [],
  again: [],
  stage: { is: "under way" },
};

/** How the rounds of a loop run at once, if they do. */
export const fannedOf = ({ node }: Pick<LoopInput, "node">): Fanned | null =>
  node.type === "for_each" ? (node.fanned ?? null) : null;

/** How many rounds there are at most. */
export const mostRounds = ({ items, maxIterations }: LoopInput): number =>
  items === null ? maxIterations : Math.min(items.length, maxIterations);

export const newRound = (index: number): Round => ({ index, cursor: 0, hops: 0, visits: {}, states: {} });

/** No integer: the order of an object's integer keys is not that in which they came. */
export const resultKey = (index: number): string => `[${index}]`;

/** The round that the step of this path belongs to. */
export function roundOf({ origin }: LoopInput, { open }: Position, path: string): Round | undefined {
  const index = Number.parseInt(path.slice(origin.step.length + 1), 10);
  return open.find((round) => round.index === index);
}

/** The scope of a round's states. */
export function scopeOf(input: LoopInput, before: StateResults, { index, states }: Round): Scope {
  const { node, items, scope } = input;
  const length = items === null ? -1 : mostRounds(input);
  const loop: LoopScope = {
    Item: node.type === "for_each" ? (items?.[index] ?? null) : null,
    Index: index,
    Index1: index + 1,
    First: index === 0,
    Last: index === length - 1,
    Length: length,
    Parent: scope.loop,
  };
  return { ...scope, loop, states: { ...scope.states, ...before, ...states } };
}

/** The position after these warnings, and those of them that were not given before. */
export function warned(position: Position, said: readonly string[]): { position: Position; warnings: Warning[] } {
  const { fresh, given } = freshOf(said, position.warned);
  return { position: { ...position, warned: given }, warnings: fresh.map((message) => ({ message })) };
}

export const over = (position: Position, outcome: Outcome, left: string | null = null): Position => ({
  ...position,
  stage: { is: "over", outcome, left },
});
