/**
 * One round of a loop, as a pure reducer: which state of the body comes next, or how the round ended. The rules are
 * AWF's: a target in the body jumps, the loop's own name continues, any other target leaves.
 *
 * I1. `break_when` is judged once a round, at its end; a fault in it is a warning.
 * I2. Every state entered counts as a hop, and a fixed number of hops in one round ends it as a fault.
 */
import type { LoopInput } from "../contracts.ts";
import { COMPLETED, type Fault, type Outcome, own, type Settled } from "../model.ts";
import { pick, type Scope } from "../scope.ts";
import { judge } from "../workflow/conditions.ts";
import { route, skippedAt } from "../workflow/route.ts";
import { fannedOf, type Position, type Round, type StateStart, scopeOf, type Warning, warned } from "./position.ts";

/** `left`: to a state outside of the body. `stopped`: by how a state of it ended. */
export type RoundEnd = { is: "done" } | { is: "left"; target: string } | { is: "stopped"; outcome: Outcome };
export type Walked =
  | { type: "enter"; start: StateStart; position: Position; warnings: Warning[] }
  | { type: "end"; end: RoundEnd; round: Round; position: Position; warnings: Warning[] };

export const MAX_HOPS_PER_ITERATION = 10_000;

/** After the state of a round that ran has settled. `breaks`: judged at the round's end, of what it left. */
export function walk(input: LoopInput, from: Position, at: Round, settled: Settled): Walked {
  const name = input.node.body[at.cursor] ?? "";
  const body = own(input.nodes, name);
  const round = { ...at, states: { ...at.states, ...pick(settled.states, input.keep) } };
  const { outcome } = settled;
  const stopped = (position: Position, by: Outcome, warnings: Warning[] = []): Walked => ({
    ...{ type: "end", end: { is: "stopped", outcome: by }, round, position, warnings },
  });
  if (outcome.status === "cancelled" || body === undefined || body.type === "terminal") return stopped(from, outcome);
  const routed = route(body, outcome, settled.left, seenBy(input, from, round, settled));
  const { position, warnings } = warned(from, routed.warnings);
  if ("fault" in routed) return stopped(position, { status: "failed", exitCode: 1, error: routed.fault }, warnings);
  const target = routed.goto;
  const onwards = (cursor: number): Walked => step(input, position, { ...round, cursor }, warnings);
  if (target === input.node.name) return onwards(at.cursor + 1);
  const jump = target === null ? -1 : input.node.body.indexOf(target);
  if (jump >= 0) return onwards(jump);
  if (outcome.status === "failed" && !body.continueOnError) return stopped(position, outcome, warnings);
  if (outcome.status === "skipped" && target === null) return stopped(position, skippedAt(body, outcome), warnings);
  if (target !== null) return { type: "end", end: { is: "left", target }, round, position, warnings };
  return onwards(at.cursor + 1);
}

/** Enters the state under the round's cursor; behind the last one the round is done. */
export function step(input: LoopInput, position: Position, round: Round, warnings: Warning[]): Walked {
  const name = input.node.body[round.cursor];
  if (name === undefined) return { type: "end", end: { is: "done" }, round, position, warnings };
  const hops = round.hops + 1;
  if (hops > MAX_HOPS_PER_ITERATION) {
    const error: Fault = {
      code: "EXECUTION.RUN.TOO_MANY_TRANSITIONS",
      message: `loop "${input.node.name}" entered more than ${MAX_HOPS_PER_ITERATION} states in one iteration`,
    };
    const end: RoundEnd = { is: "stopped", outcome: { status: "failed", exitCode: 1, error } };
    return { type: "end", end, round, position, warnings };
  }
  const visit = (own(round.visits, name) ?? 0) + 1;
  const entered = { ...round, hops, visits: { ...round.visits, [name]: visit } };
  const path = `${input.origin.step}/${round.index}.${name}${visit === 1 ? "" : `#${visit}`}`;
  return { type: "enter", start: { round: entered, name, path }, position, warnings };
}

export type Asked = { holds: boolean; position: Position; warnings: Warning[] };

/** Whether the loop ends after this round (I1). `settled`: what its last state reported. */
export function breaks(input: LoopInput, from: Position, round: Round, settled: Settled | null): Asked {
  const { breakWhen } = input.node;
  if (breakWhen === null) return { holds: false, position: from, warnings: [] };
  const judged = judge(breakWhen, seenBy(input, from, round, settled));
  const { position, warnings } = warned(from, judged.warnings);
  if (judged.ok) return { holds: judged.holds, position, warnings };
  return { holds: false, position, warnings: [...warnings, judged.fault] };
}

/** What conditions see of a round whose state has just settled. */
function seenBy(input: LoopInput, { states }: Position, round: Round, settled: Settled | null): Scope {
  const scope = scopeOf(input, fannedOf(input) === null ? states : {}, round);
  return settled === null ? scope : { ...scope, states: { ...scope.states, ...settled.states } };
}

/** What a round comes to by itself. */
export const outcomeOf = (end: RoundEnd): Outcome => (end.is === "stopped" ? end.outcome : COMPLETED);
