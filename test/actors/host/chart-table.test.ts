/** The tables of the durable charts against XState: every path, and any order of events. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { ChartTable } from "../../../actors/host/chart-table.ts";
import { bornInXState, type Moved, movedInXState, withChildren } from "../../../actors/host/interpret.ts";
import { told } from "../../support/oracle.ts";
import { MACHINES } from "../../support/stage.ts";
import { WALKS } from "../../support/walks.ts";

type Name = keyof typeof MACHINES;
const NAMES = Object.keys(MACHINES) as Name[];
const MOST_PLACES = 400;
const STRANGE = [{ type: "nobody.knows" }, { type: "xstate.error.actor.nobody", error: { code: "X", message: "x" } }];

/** The children that a host keeps: one that has settled is gone. */
function settled(snapshot: AnyMachineSnapshot, event: EventObject): AnyMachineSnapshot {
  const alive = Object.keys(snapshot.children).filter((id) => !("actorId" in event) || event.actorId !== id);
  return withChildren(Object.assign({}, snapshot), new Map(alive.map((id) => [id, id])));
}
/** Only a child that runs can settle. */
const isPossible = (snapshot: AnyMachineSnapshot, event: EventObject): boolean =>
  !("actorId" in event) || Object.hasOwn(snapshot.children, event.actorId as string);

const isError = (made: () => Moved): boolean => {
  try {
    return made().snapshot.status === "error";
  } catch {
    return true;
  }
};

/** One move by the table alone, held against XState; null where the table leaves it to XState, as it may. */
function both(
  machine: AnyStateMachine,
  table: ChartTable,
  snapshot: AnyMachineSnapshot,
  event: EventObject,
): Moved | null {
  const before = settled(snapshot, event);
  const json = JSON.stringify(before);
  const theirs = () => movedInXState(machine, before, event);
  let ours: Moved | null = null;
  try {
    ours = table.moved(before, event);
  } catch (error) {
    // What throws in both is XState's to tell; anything else would be slow and unseen.
    expect(isError(theirs), `${machine.id} on ${event.type} from ${JSON.stringify(snapshot.value)}: ${error}`).toBe(
      true,
    );
    return null;
  }
  if (ours === null) {
    const isHeard = snapshot.can(event);
    expect(event.type.startsWith("xstate.") && !isHeard, `${machine.id} leaves ${event.type} to XState`).toBe(true);
    return theirs();
  }
  expect(told(machine, ours)).toStrictEqual(told(machine, theirs()));
  expect(JSON.stringify(before)).toBe(json);
  return ours;
}

const placeOf = ({ value, context, children }: AnyMachineSnapshot): string =>
  JSON.stringify([value, { ...context, birth: null, free: null, turns: null }, Object.keys(children)]);

describe.each(NAMES)("the table of %s", (name) => {
  const machine = MACHINES[name];
  const { inputs, events } = WALKS[name];

  it("does what XState does in every place that events lead to, with every event", () => {
    const table = new ChartTable(machine);
    for (const input of inputs) {
      const first = table.born(input) as Moved;
      expect(told(machine, first)).toStrictEqual(told(machine, bornInXState(machine, input)));
      const seen = new Map([[placeOf(first.snapshot), first.snapshot]]);
      for (const snapshot of seen.values()) {
        if (snapshot.status !== "active") continue;
        for (const event of [...events, ...STRANGE]) {
          if (!isPossible(snapshot, event)) continue;
          const next = both(machine, table, snapshot, event)?.snapshot;
          if (next !== undefined && seen.size < MOST_PLACES && !seen.has(placeOf(next))) seen.set(placeOf(next), next);
        }
      }
    }
  });

  it("does what XState does after any events", () => {
    const table = new ChartTable(machine);
    const choice = fc.array(fc.constantFrom(...events), { maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...inputs), choice, (input, chosen) => {
        let { snapshot } = table.born(input) as Moved;
        for (const event of chosen) {
          if (snapshot.status !== "active") return;
          if (isPossible(snapshot, event)) snapshot = both(machine, table, snapshot, event)?.snapshot ?? snapshot;
        }
      }),
      { numRuns: 100 },
    );
  });
});
