/**
 * Which branches of a `parallel` may begin: `depends_on` makes a graph of them. Pure; what the machine keeps is data.
 *
 * I1. A branch begins after the branches that it depends on have ended; what is no branch beside it is the step's affair.
 * I2. A branch that nothing depends on and that depends on none costs nothing here.
 * I3. Branches that wait for each other begin when nothing else is left, and fail for want of what they depend on.
 */
import { own } from "../model.ts";
import type { Nodes, ParallelNode } from "../workflow/document.ts";

/** Where the branches stand that the order is about. */
export type Order = {
  /** How many branches, in the order of the document, were started or are held. */
  begun: number;
  /** Branches that wait for others. */
  held: string[];
  /** Branches that others depend on and that have ended; whether they completed. */
  ended: { [branch: string]: boolean };
};
export const NOT_BEGUN: Order = { begun: 0, held: [], ended: {} };
/** `passedOver`: one that it depends on has not completed. */
export type Begun = { name: string; passedOver: boolean };

type Branches = { node: ParallelNode; nodes: Nodes };

/** The branches beside it that a branch depends on. */
export function neededBy({ node, nodes }: Branches, name: string): string[] {
  const branch = own(nodes, name);
  if (branch === undefined || branch.type === "terminal" || branch.dependsOn.length === 0) return [];
  return branch.dependsOn.filter((each) => node.branches.includes(each));
}

const known = new WeakMap<ParallelNode, ReadonlySet<string>>();

function isNeeded(of: Branches, name: string): boolean {
  const needed = known.get(of.node) ?? new Set(of.node.branches.flatMap((each) => neededBy(of, each)));
  known.set(of.node, needed);
  return needed.has(name);
}

/** The next branches to begin, at most `room`, while `active` others run. */
export function nextBranches(
  of: Branches,
  from: Order,
  room: number,
  active: number,
): { order: Order; begin: Begun[] } {
  const begin: Begun[] = [];
  const { branches } = of.node;
  const ready = (name: string): boolean => neededBy(of, name).every((each) => own(from.ended, each) !== undefined);
  const take = (name: string): number =>
    begin.push({ name, passedOver: neededBy(of, name).some((each) => own(from.ended, each) === false) });
  const held: string[] = [];
  for (const name of from.held) {
    if (begin.length < room && ready(name)) take(name);
    else held.push(name);
  }
  let { begun } = from;
  for (; begun < branches.length && begin.length < room; begun += 1) {
    const name = branches[begun] ?? "";
    if (ready(name)) take(name);
    else held.push(name);
  }
  if (begin.length === 0 && active === 0 && held.length > 0 && begun === branches.length) {
    return { order: { ...from, begun, held: [] }, begin: held.map((name) => ({ name, passedOver: false })) };
  }
  return { order: { ...from, begun, held }, begin };
}

/** After a branch has ended. */
export function withEnded(of: Branches, from: Order, name: string, completed: boolean): Order {
  return isNeeded(of, name) ? { ...from, ended: { ...from.ended, [name]: completed } } : from;
}
