/** `born` and `moved` as a host has them, held against XState's own each time: whatever drives a machine here compares. */
import { isDeepStrictEqual } from "node:util";
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import {
  bornInXState,
  born as hostBorn,
  moved as hostMoved,
  type Moved,
  movedInXState,
  stored,
} from "../../actors/host/interpret.ts";

/** All that is read of a move. */
export const told = (machine: AnyStateMachine, { snapshot, effects }: Moved) => ({
  json: JSON.stringify([stored(machine, snapshot, {}, 0), effects]),
  context: snapshot.context,
  output: snapshot.output,
  error: snapshot.error,
  effects,
  children: Object.values(snapshot.children).map((child) => (child as { id: string }).id),
  nodes: snapshot._nodes.map(({ id }) => id).sort(),
  tags: [...snapshot.tags].sort(),
});

type Ended = { moved: Moved } | { thrown: unknown };
function ended(move: () => Moved): Ended {
  try {
    return { moved: move() };
  } catch (thrown) {
    return { thrown };
  }
}

function agreed(machine: AnyStateMachine, event: string, ours: () => Moved, theirs: () => Moved): Moved {
  const [one, other] = [ended(ours), ended(theirs)];
  const of = (end: Ended) => ("moved" in end ? told(machine, end.moved) : String(end.thrown));
  if (!isDeepStrictEqual(of(one), of(other)))
    throw new Error(
      `${machine.id} on ${event}: the host's is ${JSON.stringify(of(one))}, XState's ${JSON.stringify(of(other))}`,
    );
  if ("thrown" in one) throw one.thrown;
  return one.moved;
}

export const born = (machine: AnyStateMachine, input: object): Moved =>
  agreed(
    machine,
    "its birth",
    () => hostBorn(machine, input),
    () => bornInXState(machine, input),
  );
export const moved = (machine: AnyStateMachine, snapshot: AnyMachineSnapshot, event: EventObject): Moved =>
  agreed(
    machine,
    event.type,
    () => hostMoved(machine, snapshot, event),
    () => movedInXState(machine, snapshot, event),
  );
