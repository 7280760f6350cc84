/** Walks a chart that is a configuration alone: every way, whatever a guard would say. */
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  createMachine,
  fromCallback,
  initialTransition,
  transition,
} from "xstate";

type Node = AnyStateMachine["root"];
const nodesOf = (node: Node): Node[] => [node, ...Object.values(node.states).flatMap(nodesOf)];
const MOST_SNAPSHOTS = 3_000;

type Item = string | { type: string } | undefined;
const nameOf = (item: Item): string => (typeof item === "string" ? item : (item?.type ?? ""));

/** No transition leads on at once, and it is not the final state of a part, after which its container continues. */
const rests = ({ always, type, parent }: Node): boolean =>
  (always ?? []).length === 0 && (type !== "final" || parent?.parent === undefined);

/** The ids of the states in which a machine can rest, and of all that are reached. */
export function walkedStates(config: object): { all: string[]; reached: Set<string> } {
  const bare = createMachine(config) as AnyStateMachine;
  const nodes = nodesOf(bare.root);
  const ways = nodes.flatMap(({ always, transitions }) => [...(always ?? []), ...[...transitions.values()].flat()]);
  const guards = [...new Set(ways.map(({ guard }) => nameOf(guard as Item)).filter((name) => name !== ""))];
  // A guard is asked in the order of the ways: the n-th answer is a yes.
  let yes = -1;
  let asked = 0;
  const machine = bare.provide({
    guards: Object.fromEntries(guards.map((name) => [name, () => asked++ === yes])),
    actions: Object.fromEntries(actionsOf(nodes).map((name) => [name, () => undefined])),
    actors: Object.fromEntries(
      nodes.flatMap(({ invoke }) => invoke.map(({ src }) => [String(src), fromCallback(() => undefined)])),
    ),
    delays: Object.fromEntries(
      nodes.flatMap(({ config: { after = {} } }) => Object.keys(after).map((name) => [name, 1])),
    ),
  } as never);
  const reached = new Set<string>();
  const open = new Map<string, AnyMachineSnapshot>();
  const note = (snapshot: AnyMachineSnapshot): void => {
    for (const { id } of snapshot._nodes) reached.add(id);
    const name = JSON.stringify(snapshot.value);
    if (!open.has(name) && open.size < MOST_SNAPSHOTS) open.set(name, snapshot);
  };
  /** With each answer of each guard. */
  const tried = (move: () => AnyMachineSnapshot): void => {
    for (yes = -1; ; yes++) {
      asked = 0;
      note(move());
      if (yes >= asked) return;
    }
  };
  tried(() => initialTransition(machine)[0] as AnyMachineSnapshot);
  for (const snapshot of open.values()) {
    const heard = new Set(snapshot._nodes.flatMap(({ transitions }: Node) => [...transitions.keys()]));
    for (const type of heard)
      tried(() => transition(machine, snapshot, { type: type.replace("*", "x") })[0] as AnyMachineSnapshot);
  }
  return { all: nodes.filter(rests).map(({ id }) => id), reached };
}

function actionsOf(nodes: readonly Node[]): string[] {
  const found = nodes.flatMap(({ entry, exit, always, transitions }) => [
    ...[...entry, ...exit],
    ...[...(always ?? []), ...[...transitions.values()].flat()].flatMap(({ actions }) => actions),
  ]);
  return [...new Set(found.map((action) => nameOf(action as Item)))].filter(
    (name) => name !== "" && !name.startsWith("xstate."),
  );
}
