/**
 * A chart as a table: for each state and event the transitions that may be taken, with all that is done on the way, made
 * from the machine itself when it is first needed.
 *
 * I1. What comes out is what XState makes of the same snapshot and event: a test compares them over every path. Whatever
 *     is not known here, in the chart or in what it does, throws or answers null, and XState decides. A move has no
 *     effects of its own, so it can be made again.
 */
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, AnyTransitionDefinition, EventObject } from "xstate";
import { type Act, actOf, Doing, Given, paramsOf, unknown } from "./chart-actions.ts";
import type { Effect } from "./host.ts";

type Guard = { test: (given: Given, params: unknown) => boolean; params: unknown };
/** A transition from one leaf: what is done in its order, and where it leads. */
type Way = { guard: Guard | null; acts: readonly Act[]; to: Leaf };
/** A state without states below it. */
type Leaf = {
  /** From the leaf up to the root. */
  nodes: readonly AnyStateNode[];
  isEnd: boolean;
  /** A snapshot in it, as XState makes it. */
  looks: AnyMachineSnapshot;
  /** Transitions in the order in which they are tried; made when they are first needed. */
  always: readonly Way[] | null;
  on: Map<string, readonly Way[]>;
};
type Outcome = { snapshot: AnyMachineSnapshot; effects: Effect[] };

/** Event types that a leaf keeps its transitions of: those of children have the children's names. */
const MOST_TYPES = 256;
/** A chart that turns round more often within one event is left to XState. */
const MOST_TURNS = 1_000;

export class ChartTable {
  readonly #machine: AnyStateMachine;
  readonly #leaves = new Map<AnyStateNode, Leaf>();
  /** What is entered when a machine is born. */
  #first: { acts: readonly Act[]; to: Leaf } | null = null;

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
    const { context, output } = machine.config;
    if (typeof context !== "function" || (output !== undefined && typeof output !== "function")) unknown("a context");
    refuseStrange(machine.root);
  }

  /** The first snapshot; null where XState decides. Throws where it must. */
  born(input: object): Outcome | null {
    const event = { type: "xstate.init", input };
    const begin = this.#machine.config.context as (given: object) => object;
    const doing = new Doing(this.#machine, event, { ...begin(new Birth(input)) }, {});
    this.#first ??= this.#entered([this.#machine.root, ...initialBelow(this.#machine.root)]);
    doing.all(this.#first.acts);
    return this.#rest(doing, this.#first.to, null);
  }

  /** The snapshot after an event; null where XState decides. Throws where it must. */
  moved(before: AnyMachineSnapshot, event: EventObject): Outcome | null {
    if (before.status !== "active") return null;
    const doing = new Doing(this.#machine, event, before.context, before.children);
    const leaf = this.#leafOf(before);
    const way = chosen(this.#on(leaf, event.type), doing.given);
    if (way === null) return event.type.startsWith("xstate.") ? null : this.#rest(doing, leaf, before);
    doing.all(way.acts);
    return this.#rest(doing, way.to, before);
  }

  /** Takes what needs no event, until nothing does. */
  #rest(doing: Doing, from: Leaf, before: AnyMachineSnapshot | null): Outcome | null {
    let leaf = from;
    for (let turns = 0; !leaf.isEnd; turns++) {
      if (turns > MOST_TURNS) return null;
      leaf.always ??= leaf.nodes.flatMap((node) => (node.always ?? []).map((one) => this.#way(leaf, one)));
      const way = chosen(leaf.always, doing.given);
      if (way === null) break;
      const { changes } = doing;
      doing.all(way.acts);
      if (doing.changes === changes && way.to === leaf) break;
      leaf = way.to;
    }
    const { effects, children, changes } = doing;
    const { context } = doing.given;
    if (before !== null && changes === 0 && !leaf.isEnd && leaf === this.#leafOf(before))
      return { snapshot: before, effects };
    const output = leaf.isEnd ? this.#output(leaf, context) : undefined;
    if (leaf.isEnd) for (const id of Object.keys(children)) effects.push({ do: "stop", id });
    return { snapshot: { ...leaf.looks, context, children, output } as AnyMachineSnapshot, effects };
  }

  #output({ nodes: [end] }: Leaf, context: object): unknown {
    const { output } = this.#machine.root;
    const event = { type: `xstate.done.state.${end?.id}`, output: undefined };
    return (output as ((given: Given) => unknown) | undefined)?.(new Given(context, event));
  }

  #leafOf({ _nodes }: AnyMachineSnapshot): Leaf {
    return this.#leaf(_nodes.find(isLeaf) ?? unknown("a snapshot"));
  }
  #leaf(node: AnyStateNode): Leaf {
    const known = this.#leaves.get(node);
    if (known !== undefined) return known;
    const nodes = [node, ...above(node, undefined)];
    const isEnd = node.type === "final";
    if (isEnd && nodes.some(({ exit }) => exit.length > 0)) unknown("an end that is left");
    const value = node.path.reduceRight<unknown>((below, name) => (below === null ? name : { [name]: below }), null);
    const looks = this.#machine.resolveState({ value, context: {} } as never) as AnyMachineSnapshot;
    const leaf: Leaf = { nodes, isEnd, looks, always: null, on: new Map() };
    this.#leaves.set(node, leaf);
    return leaf;
  }

  #on(leaf: Leaf, type: string): readonly Way[] {
    const known = leaf.on.get(type);
    if (known !== undefined) return known;
    const ways = leaf.nodes.flatMap((node) => candidates(node, type).map((one) => this.#way(leaf, one)));
    if (leaf.on.size >= MOST_TYPES) leaf.on.clear();
    leaf.on.set(type, ways);
    return ways;
  }

  #way(leaf: Leaf, { guard: named, actions, target, source, reenter }: AnyTransitionDefinition): Way {
    const guard = named === undefined ? null : this.#guard(named);
    const own = actions.map((action) => actOf(this.#machine, action));
    const [to] = target ?? [];
    if (to === undefined) return { guard, acts: own, to: leaf };
    const domain = domainOf(to, source, reenter);
    const isEntered = source !== to || source !== domain || reenter;
    const entered = [...above(to, domain).reverse(), ...(isEntered ? [to] : []), ...initialBelow(to)];
    const left = leaf.nodes.filter((node) => isBelow(node, domain)).flatMap(({ exit }) => exit);
    const exits = left.map((action) => actOf(this.#machine, action));
    const entries = entered.length === 0 ? { acts: [], to: leaf } : this.#entered(entered);
    return { guard, acts: [...exits, ...own, ...entries.acts], to: entries.to };
  }
  /** From the outermost to a leaf. */
  #entered(nodes: readonly AnyStateNode[]): { acts: readonly Act[]; to: Leaf } {
    const acts = nodes.flatMap(({ entry }) => entry.map((action) => actOf(this.#machine, action)));
    return { acts, to: this.#leaf(nodes.at(-1) ?? unknown("an empty way")) };
  }
  #guard(named: AnyTransitionDefinition["guard"]): Guard {
    const guard = named as string | { type: string; params?: unknown };
    const test = this.#machine.implementations.guards[typeof guard === "string" ? guard : guard.type];
    if (typeof guard === "function" || typeof test !== "function" || "check" in test) return unknown("a guard");
    return { test, params: typeof guard === "string" ? undefined : guard.params };
  }
}

/** What a machine is born with; it asks for nothing else. */
class Birth extends Given {
  readonly input: object;
  constructor(input: object) {
    super({}, { type: "xstate.init" });
    this.input = input;
  }
}

function chosen(ways: readonly Way[], given: Given): Way | null {
  for (const way of ways) {
    const { guard } = way;
    if (guard === null || guard.test(given, paramsOf(guard.params, given))) return way;
  }
  return null;
}

/** Throws for a chart with anything that no chart of this house has. */
function refuseStrange(root: AnyStateNode): void {
  const nodes = [root];
  for (const node of nodes) {
    nodes.push(...Object.values(node.states));
    if (!["atomic", "compound", "final"].includes(node.type) || node.invoke.length > 0) unknown(node.id);
    if (node.type === "final" && (node.parent !== root || node.output !== undefined)) unknown(node.id);
    if (node.type === "compound" && node.initial.actions.length > 0) unknown(node.id);
    const transitions = [...node.transitions.values(), ...(node.always ?? [])].flat();
    if (transitions.some(({ target }) => (target?.length ?? 0) > 1)) unknown(node.id);
  }
  if (Object.keys(root.states).length === 0) unknown(root.id);
}

const isLeaf = ({ type }: AnyStateNode): boolean => type === "atomic" || type === "final";
/** The states above one, from the inside out, up to a state that is not among them. */
function above(node: AnyStateNode, end: AnyStateNode | undefined): AnyStateNode[] {
  const found: AnyStateNode[] = [];
  if (node === end) return found;
  for (let next = node.parent; next !== undefined && next !== end; next = next.parent) found.push(next);
  return found;
}
const isBelow = (node: AnyStateNode, top: AnyStateNode): boolean =>
  node !== top && above(node, undefined).includes(top);
/** The states that a state begins in, from the outside in. */
function initialBelow(node: AnyStateNode): AnyStateNode[] {
  if (isLeaf(node)) return [];
  const [first] = node.initial.target;
  return first?.parent === node ? [first, ...initialBelow(first)] : unknown(node.id);
}

/** The state that a transition does not leave. */
function domainOf(to: AnyStateNode, source: AnyStateNode, reenter: boolean): AnyStateNode {
  if (!reenter && (to === source || isBelow(to, source))) return source;
  return above(to, undefined).find((node) => isBelow(source, node)) ?? unknown("a transition of the root");
}

/** The transitions of a state for an event: its own name first, then wildcards, the longest one first. */
function candidates(node: AnyStateNode, type: string): AnyTransitionDefinition[] {
  const wild = [...node.transitions.keys()].filter((descriptor) => descriptor !== type && isFor(descriptor, type));
  return [type, ...wild.toSorted((a, b) => b.length - a.length)].flatMap((name) => node.transitions.get(name) ?? []);
}
function isFor(descriptor: string, type: string): boolean {
  if (descriptor === "*") return true;
  if (!descriptor.endsWith(".*")) return false;
  const stem = descriptor.slice(0, -2);
  if (stem.includes("*")) return unknown(descriptor);
  return type === stem || type.startsWith(`${stem}.`);
}
