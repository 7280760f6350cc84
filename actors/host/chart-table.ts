/**
 * A chart as a table: for each state and event the transitions that may be taken, with all that is done on the way, made
 * from the machine itself when it is first needed.
 *
 * I1. What comes out is what XState makes of the same snapshot and event: a test compares them over every path. Whatever
 *     is not known here, in the chart or in what it does, throws or answers null, and XState decides. A move has no
 *     effects of its own, so it can be made again.
 * I2. A chart may have regions side by side, below its root alone; none of them ends, and no way leaves its region.
 */
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, AnyTransitionDefinition, EventObject } from "xstate";
import { type Act, actOf, Doing, Given, paramsOf, unknown } from "./chart-actions.ts";
import { above, candidates, domainOf, initialBelow, isBelow, isLeaf, refuseStrange, regionsOf } from "./chart-nodes.ts";
import type { Effect } from "./host.ts";

type Guard = { test: (given: Given, params: unknown) => boolean; params: unknown };
/** A transition from one leaf: what is done in its order, on leaving, on the way and on entering, and where it leads. */
type Way = { guard: Guard | null; exits: readonly Act[]; acts: readonly Act[]; entries: readonly Act[]; to: Leaf };
/** A state without states below it. */
type Leaf = {
  id: string;
  value: unknown;
  /** From the leaf up to the root. */
  nodes: readonly AnyStateNode[];
  isEnd: boolean;
  /** Transitions in the order in which they are tried; made when they are first needed. */
  always: readonly Way[] | null;
  on: Map<string, readonly Way[]>;
};
/** Where a machine is: in one leaf, or in one of each region. */
type Leaves = readonly Leaf[];
type Outcome = { snapshot: AnyMachineSnapshot; effects: Effect[] };

/** Event types that a leaf keeps its transitions of: those of children have the children's names. */
const MOST_TYPES = 256;
const NOTHING: readonly Act[] = [];
/** A chart that turns round more often within one event is left to XState. */
const MOST_TURNS = 1_000;

export class ChartTable {
  readonly #machine: AnyStateMachine;
  readonly #leaves = new Map<AnyStateNode, Leaf>();
  /** Snapshots as XState makes them, by the leaves they are in. */
  readonly #looks = new Map<string, AnyMachineSnapshot>();
  /** By the nodes of a snapshot. */
  readonly #known = new WeakMap<readonly AnyStateNode[], Leaves>();
  /** What is entered when a machine is born. */
  #first: { acts: readonly Act[]; to: Leaves } | null = null;

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
    this.#first ??= this.#begun(this.#machine.root);
    doing.all(this.#first.acts);
    return this.#rest(doing, this.#first.to, null);
  }

  /** The snapshot after an event; null where XState decides. Throws where it must. */
  moved(before: AnyMachineSnapshot, event: EventObject): Outcome | null {
    if (before.status !== "active") return null;
    const doing = new Doing(this.#machine, event, before.context, before.children);
    const leaves = this.#leavesOf(before);
    const next = taken(doing, leaves, (leaf) => this.#on(leaf, event.type));
    if (next === null && event.type.startsWith("xstate.")) return null;
    return this.#rest(doing, next ?? leaves, before);
  }

  #begun(root: AnyStateNode): { acts: readonly Act[]; to: Leaves } {
    const regions = regionsOf(root).map((region) => [...(region === root ? [] : [region]), ...initialBelow(region)]);
    const begun = regions.map((nodes, at) => this.#entered(at === 0 ? [root, ...nodes] : nodes));
    return { acts: begun.flatMap(({ acts }) => acts), to: begun.map(({ to }) => to) };
  }

  /** Takes what needs no event, until nothing does. */
  #rest(doing: Doing, from: Leaves, before: AnyMachineSnapshot | null): Outcome | null {
    let leaves = from;
    for (let turns = 0; !isEnd(leaves); turns++) {
      if (turns > MOST_TURNS) return null;
      const { changes } = doing;
      const next = taken(doing, leaves, (leaf) => this.#always(leaf));
      if (next === null || (doing.changes === changes && areSame(next, leaves))) break;
      leaves = next;
    }
    const { effects, children, changes } = doing;
    const { context } = doing.given;
    if (before !== null && changes === 0 && !isEnd(leaves) && areSame(leaves, this.#leavesOf(before)))
      return { snapshot: before, effects };
    const output = isEnd(leaves) ? this.#output(leaves, context) : undefined;
    if (isEnd(leaves)) for (const id of Object.keys(children)) effects.push({ do: "stop", id });
    return { snapshot: { ...this.#look(leaves), context, children, output } as AnyMachineSnapshot, effects };
  }
  #always(leaf: Leaf): readonly Way[] {
    leaf.always ??= leaf.nodes.flatMap((node) => (node.always ?? []).map((one) => this.#way(leaf, one)));
    return leaf.always;
  }

  #output([end]: Leaves, context: object): unknown {
    const { output } = this.#machine.root;
    const event = { type: `xstate.done.state.${end?.id}`, output: undefined };
    return (output as ((given: Given) => unknown) | undefined)?.(new Given(context, event));
  }

  #look(leaves: Leaves): AnyMachineSnapshot {
    const name = leaves.length === 1 ? (leaves[0]?.id ?? "") : leaves.map(({ id }) => id).join();
    const known = this.#looks.get(name);
    if (known !== undefined) return known;
    const value = Object.assign(
      {},
      ...leaves.map(({ value }) => (typeof value === "string" ? { [value]: {} } : value)),
    );
    const look = this.#machine.resolveState({ value, context: {} } as never) as AnyMachineSnapshot;
    this.#looks.set(name, look);
    return look;
  }
  #leavesOf({ _nodes }: AnyMachineSnapshot): Leaves {
    const known = this.#known.get(_nodes);
    if (known !== undefined) return known;
    const leaves = _nodes.filter(isLeaf).map((node) => this.#leaf(node));
    this.#known.set(_nodes, leaves);
    return leaves;
  }
  #leaf(node: AnyStateNode): Leaf {
    const known = this.#leaves.get(node);
    if (known !== undefined) return known;
    const nodes = [node, ...above(node, undefined)];
    const isEnd = node.type === "final";
    if (isEnd && nodes.some(({ exit }) => exit.length > 0)) unknown("an end that is left");
    const value = node.path.reduceRight<unknown>((below, name) => (below === null ? name : { [name]: below }), null);
    const leaf: Leaf = { id: node.id, value, nodes, isEnd, always: null, on: new Map() };
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
    if (to === undefined) return { guard, exits: [], acts: own, entries: [], to: leaf };
    const domain = domainOf(to, source, reenter);
    if (domain.type === "parallel") unknown("a way out of a region");
    const isEntered = source !== to || source !== domain || reenter;
    const entered = [...above(to, domain).reverse(), ...(isEntered ? [to] : []), ...initialBelow(to)];
    const left = leaf.nodes.filter((node) => isBelow(node, domain)).flatMap(({ exit }) => exit);
    const exits = left.map((action) => actOf(this.#machine, action));
    const entries = entered.length === 0 ? { acts: [], to: leaf } : this.#entered(entered);
    return { guard, exits, acts: own, entries: entries.acts, to: entries.to };
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

const isEnd = ([one]: Leaves): boolean => one?.isEnd === true;
const areSame = (some: Leaves, others: Leaves): boolean => some.every((leaf, at) => leaf === others[at]);
/** Where the leaves lead, each by its own way, once that is done; null where none has one. */
function taken(doing: Doing, leaves: Leaves, waysOf: (leaf: Leaf) => readonly Way[]): Leaves | null {
  const [only] = leaves;
  if (only !== undefined && leaves.length === 1) {
    const way = chosen(waysOf(only), doing.given);
    if (way !== null) for (const acts of [way.exits, way.acts, way.entries]) doing.all(acts);
    return way === null ? null : [way.to];
  }
  // Most often one region has a way: what is made for each of them is made for nothing.
  let ways: (Way | null)[] | null = null;
  for (let at = 0; at < leaves.length; at++) {
    const way = chosen(waysOf(leaves[at] as Leaf), doing.given);
    if (way === null) continue;
    ways ??= new Array<Way | null>(leaves.length).fill(null);
    ways[at] = way;
  }
  if (ways === null) return null;
  for (let at = ways.length - 1; at >= 0; at--) doing.all(ways[at]?.exits ?? NOTHING);
  for (const way of ways) if (way !== null) doing.all(way.acts);
  for (const way of ways) if (way !== null) doing.all(way.entries);
  return leaves.map((leaf, at) => ways[at]?.to ?? leaf);
}
function chosen(ways: readonly Way[], given: Given): Way | null {
  for (const way of ways) {
    const { guard } = way;
    if (guard === null || guard.test(given, paramsOf(guard.params, given))) return way;
  }
  return null;
}
