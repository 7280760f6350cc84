/**
 * The ways control can take through a workflow, finer than `successors`: a container is entered and left at two
 * different moments, and where a branch would go to is ignored.
 *
 * I1. A moment is `enter:<state>` or `exit:<state>`. If an edge path leads from exit of A to enter of B, A's result
 *     may be known when B begins; if none does, it never is.
 * I2. One cause is one fault: where ways are missing because a field could not be read, that field is what is reported.
 */

import { own } from "../../model.ts";
import { within } from "../below.ts";
import type { ForEachNode, LoopNode, Node, Workflow } from "../document.ts";
import { exits } from "../graph.ts";

export type Moment = `enter:${string}` | `exit:${string}`;
export const enter = (name: string): Moment => `enter:${name}`;
export const exit = (name: string): Moment => `exit:${name}`;

export type Flow = {
  /** Every state that some run can reach. */
  reached: ReadonlySet<string>;
  /** States whose exits are followed: reached by other ways than as a branch. */
  followed: ReadonlySet<string>;
  /** States in the body of a loop that is reached. */
  bodies: ReadonlySet<string>;
  edges: ReadonlyMap<Moment, readonly Moment[]>;
  /** A state that is reached may lead further than could be read: nothing is said of what never happens (I2). */
  unsure: boolean;
};

/** How a state is come to: as a step of the run or of what stands around, as a branch, or in the body of a loop. */
type Role = "step" | "branch" | { of: LoopNode; around: Role };
type Visit = { name: string; as: Role };
/** Loops in each other that are looked through for a name. */
const MOST_AROUND = 64;

/**
 * How what a state of this role leads to is come to: in the nearest loop around that has it in its body, else as a
 * step. Null where it is the name of one of these loops: that leads on in its round, and the loop is not entered again.
 */
function leadsAs(target: string, as: Role): Role | null {
  let at = as;
  for (let left = MOST_AROUND; typeof at === "object" && left > 0; left -= 1) {
    if (target === at.of.name) return null;
    if (at.of.body.includes(target)) return at;
    at = at.around;
  }
  return "step";
}
const isLoop = (node: Node): node is LoopNode => node.type === "for_each" || node.type === "while";

/**
 * Walks from `initial`. Names that do not exist stand for what `repairs` says, or are left out. `unsure`: states whose
 * ways on were not all read.
 */
export function flowOf(
  workflow: Workflow,
  repairs: ReadonlyMap<string, string>,
  unsure: ReadonlySet<string> = new Set(),
): Flow {
  const { states } = workflow;
  const meant = (name: string): string => repairs.get(name) ?? name;
  const followed = new Set<string>();
  const reached = new Set<string>();
  const bodies = new Set<string>();
  const walked = new Set<string>();
  const open: Visit[] = [{ name: meant(workflow.initial), as: "step" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, as } = next;
    const node = own(states, name);
    const visit = as === "branch" || as === "step" ? `${as}:${name}` : `body:${name}:${as.of.name}`;
    if (node === undefined || walked.has(visit)) continue;
    walked.add(visit);
    reached.add(name);
    if (as !== "branch") followed.add(name);
    for (const member of within(node).map(meant)) {
      if (node.type !== "parallel") bodies.add(member);
      open.push({ name: member, as: isLoop(node) ? { of: node, around: as } : "branch" });
    }
    if (as === "branch") continue;
    for (const target of exits(node).map(meant)) {
      const role = leadsAs(target, as);
      if (role !== null) open.push({ name: target, as: role });
    }
  }
  const edges = edgesOf(workflow, reached, followed, meant);
  return { reached, followed, bodies, edges, unsure: [...unsure].some((name) => reached.has(name)) };
}

function edgesOf(
  workflow: Workflow,
  reached: ReadonlySet<string>,
  followed: ReadonlySet<string>,
  meant: (name: string) => string,
): Map<Moment, Moment[]> {
  const edges = new Map<Moment, Moment[]>();
  const add = (from: Moment, to: Moment): void => {
    const known = edges.get(from);
    if (known === undefined) edges.set(from, [to]);
    else known.push(to);
  };
  for (const name of reached) {
    const node = own(workflow.states, name);
    if (node === undefined) continue;
    const members = within(node)
      .map(meant)
      .filter((member) => own(workflow.states, member) !== undefined);
    // A loop may have no rounds; a parallel always waits for its branches.
    if (node.type !== "parallel" || members.length === 0) add(enter(name), exit(name));
    for (const [index, member] of members.entries()) addMember(node, member, members[index + 1], add);
    if (node.type === "parallel") addOrder(workflow, members, add);
    const goesOn = (target: string): boolean => !isRound(own(workflow.states, target), name);
    if (followed.has(name)) for (const target of exits(node).map(meant).filter(goesOn)) add(exit(name), enter(target));
  }
  return edges;
}

/** A branch begins after the branches that it depends on. */
function addOrder(workflow: Workflow, members: readonly string[], add: (from: Moment, to: Moment) => void): void {
  for (const member of members) {
    const node = own(workflow.states, member);
    if (node === undefined || node.type === "terminal") continue;
    for (const needed of node.dependsOn) if (members.includes(needed)) add(exit(needed), enter(member));
  }
}

const isFan = (node: Node | undefined): node is ForEachNode => node?.type === "for_each" && node.fanned !== undefined;

/** Whether a state stands in rounds by themselves: their loop's name leads on in its own round, and to no other. */
const isRound = (node: Node | undefined, name: string): boolean => isFan(node) && node.body.includes(name);

/** `next`: the one that stands behind it. */
function addMember(
  node: Node,
  member: string,
  next: string | undefined,
  add: (from: Moment, to: Moment) => void,
): void {
  add(enter(node.name), enter(member));
  add(exit(member), exit(node.name));
  if (isFan(node)) {
    if (next !== undefined) add(exit(member), enter(next));
  } else if (node.type !== "parallel") add(exit(node.name), enter(member)); // after a round comes the next one
}

/**
 * Whether a moment can come after `from`, which itself does only when it can come again. Walks no further than
 * it must for an answer, and from there for the next one. Each edge costs one of `steps`; where none is left, or
 * ways are missing (I2), the answer is yes.
 */
export function laterThan(flow: Flow, from: Moment, steps: { left: number }): (moment: Moment) => boolean {
  const seen = new Set<Moment>();
  const open = [from];
  let at = 0;
  if (flow.unsure) return () => true;
  return (moment) => {
    while (!seen.has(moment) && at < open.length) {
      if (steps.left <= 0) return true;
      for (const next of flow.edges.get(open[at] as Moment) ?? []) {
        steps.left -= 1;
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
      at += 1;
    }
    return seen.has(moment);
  };
}

/** Every moment from which one of `targets` can be reached, these included. */
export function leadingTo(flow: Flow, targets: Iterable<Moment>): Set<Moment> {
  const back = new Map<Moment, Moment[]>();
  for (const [from, nexts] of flow.edges) {
    for (const to of nexts) {
      const known = back.get(to);
      if (known === undefined) back.set(to, [from]);
      else known.push(from);
    }
  }
  const seen = new Set<Moment>(targets);
  const open = [...seen];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const before of back.get(next) ?? []) {
      if (seen.has(before)) continue;
      seen.add(before);
      open.push(before);
    }
  }
  return seen;
}
