/**
 * A run that begins again within a loop: with one of its rounds.
 *
 * I1. Of rounds that run at once every other one that ended well is taken over; of rounds in order those before it are.
 * I2. A round that is not known by its item runs again.
 * I3. A loop in order is entered in its midst only where what the rounds before have left is kept, or nothing reads it.
 */
import { labelOf } from "../loop/label.ts";
import { fannedOf } from "../loop/position.ts";
import { type Earlier, type Json, type LoopRest, own } from "../model.ts";
import { isMeant } from "../naming/address.ts";
import type { RunReading } from "../run/reading.ts";
import { nodesBelow } from "../workflow/below.ts";
import type { LoopNode } from "../workflow/document.ts";
import { workflowReads } from "../workflow/reads.ts";
import type { RoundSeen, Visit } from "./trail.ts";

export type RoundMeant = { visit: Visit; round: RoundSeen };
export type Entered = { ok: true; earlier: Earlier } | { ok: false; why: string };

/** The rounds that a person means: by their address, or that of a step in one. */
export const roundsMeant = (trail: readonly Visit[], asked: string): RoundMeant[] =>
  trail.flatMap((visit) =>
    [...visit.rounds.values()].filter((round) => isAsked(round, asked)).map((round) => ({ visit, round })),
  );

function isAsked({ address }: RoundSeen, asked: string): boolean {
  const isBelow = ({ 0: round = "" }: readonly string[]): boolean => asked.startsWith(`${round}/`);
  return isMeant(address, asked) || isBelow(address.names) || isBelow(address.numbers);
}

export const labelOfRound = ({ round }: RoundMeant): string => round.address.names[0] ?? "";

/** What is taken over of the loop. */
export function entered(ended: RunReading, trail: readonly Visit[], meant: RoundMeant): Entered {
  const { visit, round } = meant;
  const { name } = visit;
  const node = own(ended.workflow.states, name);
  if (node?.type !== "for_each" && node?.type !== "while") return { ok: false, why: `"${name}" is no loop` };
  if (trail.findLast((one) => one.name === name) !== visit)
    return { ok: false, why: `"${name}" was entered again later, and what is kept is of its last rounds` };
  const rest = own(ended.rests, name);
  if (fannedOf({ node }) === null) return inOrder(ended, node, meant, rest);
  const left = own(ended.states, name)?.Rounds ?? [];
  const known = rest ?? wholeOf(ended, visit, left);
  const again = [...new Set([...known.again, round.index])].sort((a, b) => a - b);
  return { ok: true, earlier: { rest: { ...known, again }, rounds: left } };
}

/** Of a loop at once all of whose rounds ended well. */
function wholeOf(ended: RunReading, visit: Visit, left: Earlier["rounds"]): LoopRest {
  const nothing = { again: [], states: {} };
  if (left.length > 0) return { ...nothing, items: left.map(({ Item }) => Item), next: left.length };
  const before = restBefore(ended, visit);
  const done = before === null ? [] : namesOf(before).filter((_, index) => !before.again.includes(index));
  const seen = Array.from({ length: Math.max(...visit.rounds.keys()) + 1 }, (_, index) => itemAt(visit, index));
  const labels = [...seen, ...done];
  return { ...nothing, items: null, labels, next: labels.length };
}
const itemAt = ({ rounds }: Visit, index: number): string | null => rounds.get(index)?.item ?? null;
/** What it has taken over itself of this loop. */
const restBefore = ({ taken }: RunReading, { name }: Visit): LoopRest | null =>
  taken?.from === name ? (taken.earlier?.rest ?? null) : null;
/** Of the rounds that were begun. */
const namesOf = ({ items, labels = [], next }: LoopRest): (string | null)[] =>
  (items?.map((item: Json) => labelOf(item)) ?? labels).slice(0, next);

function inOrder(ended: RunReading, node: LoopNode, meant: RoundMeant, rest: LoopRest | undefined): Entered {
  const { visit, round } = meant;
  const { workflow } = ended;
  const next = round.index;
  if (rest?.next === next) return { ok: true, earlier: { rest, rounds: [] } };
  const reads = workflowReads(workflow);
  const body = Object.keys(nodesBelow(node, workflow.states));
  if (next > 0 && (reads === "all" || body.some((name) => reads.includes(name))))
    return { ok: false, why: `what the rounds of "${node.name}" before it had left was not kept, and it may be read` };
  const items = rest?.items ?? null;
  const before = restBefore(ended, visit);
  const known = before === null ? [] : namesOf(before);
  const named = Array.from({ length: next }, (_, index) => itemAt(visit, index) ?? known[index] ?? null);
  const labels = items === null && node.type === "for_each" ? { labels: named } : {};
  return { ok: true, earlier: { rest: { items, ...labels, next, again: [], states: {} }, rounds: [] } };
}
