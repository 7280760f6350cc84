/**
 * Where a loop stands, as a pure reducer over data: `begin` and `settle` return the new position and what to do next.
 * The rules are AWF's: a target in the body jumps, the loop's own name goes on, any other target leaves the loop.
 *
 * I1. `break_when` is judged once an iteration, at its end; a fault in it is a warning.
 * I2. Every state entered counts as a hop, and a fixed number of hops in one iteration ends the loop as a fault.
 * I3. An iteration with an empty body takes no event.
 */
import type { LoopInput } from "../contracts.ts";
import { COMPLETED, type Fault, type Json, type Outcome, own, type Settled, type StateResults } from "../model.ts";
import { type LoopScope, pick, type Scope } from "../scope.ts";
import { judge } from "../workflow/conditions.ts";
import { freshOf, route, skippedAt } from "../workflow/route.ts";

export type Position = {
  iteration: number;
  /** Index in the body of the state that runs. */
  cursor: number;
  /** States entered in this iteration, and how often each. */
  hops: number;
  visits: { [state: string]: number };
  states: StateResults;
  /** Warnings of conditions that have been given: each is given once. */
  warned: string[];
  left: string | null;
  /** Set when the loop is over. */
  outcome: Outcome | null;
};
/** What a reader of the log should know. A fault has a code. */
export type Warning = { message: string; code?: string };
/** `start`: run this state next. `warnings` become notices. */
export type Move = { position: Position; start: { name: string; path: string } | null; warnings: Warning[] };

export const MAX_HOPS_PER_ITERATION = 10_000;

export const OUTSIDE: Position = {
  iteration: 0,
  cursor: 0,
  hops: 0,
  visits: {},
  states: {},
  warned: [],
  left: null,
  outcome: null,
};

export function begin(input: LoopInput): Move {
  return iterate(input, OUTSIDE, []);
}

/** After the body state under the cursor has settled. */
export function settle(input: LoopInput, from: Position, settled: Settled): Move {
  const name = input.node.body[from.cursor] ?? "";
  const body = own(input.nodes, name);
  const states = { ...from.states, ...pick(settled.states, input.keep) };
  const { outcome } = settled;
  if (outcome.status === "cancelled" || body === undefined || body.type === "terminal") {
    return over({ ...from, states }, outcome);
  }
  const seen: Scope = {
    ...scopeOf(input, { ...from, states }),
    states: { ...input.scope.states, ...states, ...settled.states },
  };
  const routed = route(body, outcome, settled.left, seen);
  const { position, warnings } = warned({ ...from, states }, routed.warnings);
  if ("fault" in routed) return over(position, { status: "failed", exitCode: 1, error: routed.fault }, warnings);
  const target = routed.goto;
  if (target === input.node.name) return step(input, { ...position, cursor: position.cursor + 1 }, warnings, seen);
  const jump = target === null ? -1 : input.node.body.indexOf(target);
  if (jump >= 0) return step(input, { ...position, cursor: jump }, warnings, seen);
  if (outcome.status === "failed" && !body.continueOnError) return over(position, outcome, warnings);
  if (outcome.status === "skipped" && target === null) return over(position, skippedAt(body, outcome), warnings);
  if (target !== null) return over({ ...position, left: target }, COMPLETED, warnings);
  return step(input, { ...position, cursor: position.cursor + 1 }, warnings, seen);
}

/** The scope of the state under the cursor. */
export function scopeOf({ node, items, scope, maxIterations }: LoopInput, { iteration, states }: Position): Scope {
  const length = items === null ? -1 : Math.min(items.length, maxIterations);
  const item: Json = items?.[iteration] ?? null;
  const loop: LoopScope = {
    Item: node.type === "for_each" ? item : null,
    Index: iteration,
    Index1: iteration + 1,
    First: iteration === 0,
    Last: iteration === length - 1,
    Length: length,
    Parent: scope.loop,
  };
  return { ...scope, loop, states: { ...scope.states, ...states } };
}

function step(input: LoopInput, position: Position, before: Warning[], seen: Scope): Move {
  const name = input.node.body[position.cursor];
  if (name !== undefined) return enter(input, position, name, before);
  const { holds, position: after, warnings } = breaks(input, position, seen);
  if (holds) return over(after, COMPLETED, [...before, ...warnings]);
  return iterate(input, { ...after, iteration: after.iteration + 1 }, [...before, ...warnings]);
}

type Asked = { holds: boolean; position: Position; warnings: Warning[] };

/** Whether the loop ends after this iteration; a fault is added to the warnings (I1). */
function breaks({ node: { breakWhen } }: LoopInput, from: Position, seen: Scope): Asked {
  if (breakWhen === null) return { holds: false, position: from, warnings: [] };
  const judged = judge(breakWhen, seen);
  const { position, warnings } = warned(from, judged.warnings);
  if (judged.ok) return { holds: judged.holds, position, warnings };
  return { holds: false, position, warnings: [...warnings, judged.fault] };
}

/** The position after these warnings, and those of them that were not given before. */
function warned(position: Position, said: readonly string[]): { position: Position; warnings: Warning[] } {
  const { fresh, given } = freshOf(said, position.warned);
  return { position: { ...position, warned: given }, warnings: fresh.map((message) => ({ message })) };
}

function iterate(input: LoopInput, from: Position, before: readonly Warning[]): Move {
  const warnings = [...before];
  let position: Position = { ...from, cursor: 0, hops: 0, visits: {} };
  const { node, items, maxIterations } = input;
  for (;;) {
    if (position.iteration >= maxIterations || (items !== null && position.iteration >= items.length))
      return over(position, COMPLETED, warnings);
    if (node.type === "while") {
      const judged = judge(node.test, scopeOf(input, position));
      const told = warned(position, judged.warnings);
      position = told.position;
      warnings.push(...told.warnings);
      if (!judged.ok) return over(position, { status: "failed", exitCode: 1, error: judged.fault }, warnings);
      if (!judged.holds) return over(position, COMPLETED, warnings);
    }
    const first = node.body[0];
    if (first !== undefined) return enter(input, position, first, warnings);
    const asked = breaks(input, position, scopeOf(input, position));
    warnings.push(...asked.warnings);
    if (asked.holds) return over(asked.position, COMPLETED, warnings);
    position = { ...asked.position, iteration: position.iteration + 1 };
  }
}

function enter(input: LoopInput, from: Position, name: string, warnings: Warning[]): Move {
  const hops = from.hops + 1;
  if (hops > MAX_HOPS_PER_ITERATION) {
    const error: Fault = {
      code: "EXECUTION.RUN.TOO_MANY_TRANSITIONS",
      message: `loop "${input.node.name}" entered more than ${MAX_HOPS_PER_ITERATION} states in one iteration`,
    };
    return over(from, { status: "failed", exitCode: 1, error }, warnings);
  }
  const visit = (own(from.visits, name) ?? 0) + 1;
  const path = `${input.origin.step}/${from.iteration}.${name}${visit === 1 ? "" : `#${visit}`}`;
  return { position: { ...from, hops, visits: { ...from.visits, [name]: visit } }, start: { name, path }, warnings };
}

const over = (position: Position, outcome: Outcome, warnings: Warning[] = []): Move => ({
  position: { ...position, outcome },
  start: null,
  warnings,
});
