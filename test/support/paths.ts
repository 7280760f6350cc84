/** Shortest paths through a durable machine's graph, with children as a host keeps them. */
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventObject,
  getInitialMicrosteps,
  getMicrosteps,
} from "xstate";
import { getShortestPaths } from "xstate/graph";

export type Walk = { inputs: object[]; events: EventObject[]; states: string[] };

/** `{a: {b: "c"}}` and `{a: "b"}` as dotted names of leaves. */
export const named = (value: unknown): string =>
  typeof value === "string"
    ? value
    : Object.entries(value as object)
        .map(([name, inner]) => `${name}.${named(inner)}`)
        .join();
/** The names of all leaves of a chart. */
export const leaves = (node: AnyStateMachine["root"], path: string): string[] => {
  const children = Object.entries(node.states);
  if (children.length === 0) return [path];
  return children.flatMap(([name, child]) => leaves(child, path === "" ? name : `${path}.${name}`));
};

function hosted(machine: AnyStateMachine): AnyStateMachine {
  const transition: AnyStateMachine["transition"] = (snapshot, event, scope) => {
    const children = { ...snapshot.children };
    if ("actorId" in event) delete children[event.actorId as string];
    return machine.transition(Object.assign({}, snapshot, { children }), event, scope);
  };
  return Object.create(machine, { transition: { value: transition } });
}

type Path = { state: AnyMachineSnapshot; steps: { state: AnyMachineSnapshot; event: EventObject }[] };

function pathsFrom(machine: AnyStateMachine, input: object, events: readonly EventObject[]): Path[] {
  const serializeState = ({ value, status, context }: AnyMachineSnapshot) => {
    const {
      birth: _,
      turns: __,
      attempt,
      free: ___,
      waits: ____,
      inputs,
      ...rest
    } = context as { [name: string]: unknown };
    return JSON.stringify([
      value,
      status,
      rest,
      Math.min(Number(attempt), 2),
      Array.isArray(inputs) && inputs.length > 0,
    ]);
  };
  const active = (snapshot: AnyMachineSnapshot) => snapshot.status !== "active";
  // A child that has settled is gone, and only a child that runs can settle: the host sees to both.
  const possible = ({ children }: AnyMachineSnapshot) =>
    events.filter((event) => !("actorId" in event) || Object.hasOwn(children, event.actorId as string));
  return getShortestPaths(hosted(machine), {
    input,
    events: possible,
    serializeState,
    stopWhen: active as never,
  } as never) as Path[];
}

/** All states on the shortest paths, those passed within one event included. */
export function reached(machine: AnyStateMachine, { inputs, events }: Walk): string[] {
  const seen = new Set<string>();
  const note = (steps: Iterable<readonly [AnyMachineSnapshot, unknown]>) => {
    for (const [snapshot] of steps) seen.add(named(snapshot.value));
  };
  for (const input of inputs) {
    note(getInitialMicrosteps(machine, input) as never);
    for (const { steps } of pathsFrom(machine, input, events)) {
      for (const [index, { event }] of steps.entries()) {
        const before = index === 0 ? undefined : steps[index - 1]?.state;
        if (before?.status === "active") note(getMicrosteps(machine, before, event) as never);
      }
    }
  }
  return [...seen].sort();
}

/**
 * The shortest path to each state in which a machine can rest, by value: the events, and what it passes. The first
 * birth that has a path counts.
 */
export function shortest(
  machine: AnyStateMachine,
  { inputs, events }: Walk,
): Map<string, { events: string[]; states: string[] }> {
  const found = new Map<string, { events: string[]; states: string[] }>();
  for (const input of inputs)
    for (const { state, steps } of pathsFrom(machine, input, events).toSorted(
      (a, b) => a.steps.length - b.steps.length,
    )) {
      const value = named(state.value);
      if (found.has(value)) continue;
      found.set(value, {
        events: steps.slice(1).map(({ event }) => event.type),
        states: steps.map((step) => named(step.state.value)),
      });
    }
  return found;
}
