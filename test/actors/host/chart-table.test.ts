/** The tables of the charts against XState: every path, any order of events, and what they leave to it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnyMachineSnapshot, type AnyStateMachine, assign, type EventObject, emit, setup } from "xstate";
import { ChartTable } from "../../../actors/host/chart-table.ts";
import { born, bornInXState, type Moved, moved, movedInXState, withChildren } from "../../../actors/host/interpret.ts";
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

const FINE = { input: {} as { n: number }, context: {} as { n: number } };
const make = setup({
  types: FINE as { context: { n: number }; input: { n: number }; events: EventObject; emitted: EventObject },
  actions: {
    add: assign({ n: ({ context }) => context.n + 1 }),
    say: emit({ type: "said" }),
    own: () => undefined,
    fail: assign(() => {
      throw new Error("no sum");
    }),
  },
  guards: {
    odd: ({ context }) => context.n % 2 === 1,
    broken: () => {
      throw new Error("no answer");
    },
  },
});
const counting = {
  context: ({ input }: { input: { n: number } }) => ({ n: input.n }),
  initial: "on",
} as const;
const twice = (machine: AnyStateMachine, ...events: EventObject[]): unknown[] => {
  const all: unknown[] = [];
  for (const [begin, go] of [
    [born, moved],
    [bornInXState, movedInXState],
  ] as const) {
    const steps = [begin(machine, { n: 0 })];
    for (const event of events) steps.push(go(machine, (steps.at(-1) as Moved).snapshot, event));
    all.push(steps.map((step) => told(machine, step)));
  }
  return all;
};
const of = (config: object) => make.createMachine({ ...counting, ...config } as never) as unknown as AnyStateMachine;

describe("what the durable charts do not have", () => {
  it.each([
    [
      "a parallel state",
      of({ initial: undefined, type: "parallel", states: { on: { on: { go: { actions: "add" } } }, off: {} } }),
    ],
    [
      "regions side by side that leave and enter at once",
      of({
        initial: undefined,
        type: "parallel",
        entry: "say",
        states: {
          one: {
            initial: "a",
            entry: "add",
            states: { a: { exit: "say", on: { go: "b" } }, b: { entry: "add", on: { go: { actions: "say" } } } },
          },
          two: {
            initial: "a",
            on: { "go.far": { actions: "say" } },
            states: { a: { entry: "add", exit: "add", on: { go: { target: "b", actions: "say" } } }, b: {} },
          },
        },
      }),
    ],
    [
      "regions that are left",
      of({
        initial: undefined,
        type: "parallel",
        states: {
          one: { initial: "a", states: { a: { on: { go: "#other" } }, b: {} } },
          two: { initial: "a", states: { a: { exit: "say" }, b: { id: "other", entry: "add" } } },
        },
      }),
    ],
    [
      "a history",
      of({ states: { on: { initial: "a", states: { a: { on: { go: "b" } }, b: {}, h: { type: "history" } } } } }),
    ],
    ["an invoked child", of({ states: { on: { invoke: { src: "x" }, on: { go: { actions: "add" } } } } })],
    [
      "an end inside a state",
      of({
        states: {
          on: { initial: "a", states: { a: { on: { go: "b" } }, b: { type: "final" } }, onDone: "off" },
          off: {},
        },
      }),
    ],
    [
      "an event that is raised",
      of({ states: { on: { on: { go: { actions: "say" } }, always: { guard: "odd", actions: "add" } } } }),
    ],
    [
      "a turn of its own",
      of({ states: { on: { on: { go: { actions: "add" } }, always: { guard: "odd", actions: ["add", "say"] } } } }),
    ],
    [
      "a root that is entered again",
      of({ on: { go: { target: ".on", reenter: true, actions: "add" } }, states: { on: { entry: "say" } } }),
    ],
    [
      "a state that is entered again",
      of({ states: { on: { entry: "say", exit: "add", on: { go: { target: "on", reenter: true } } } } }),
    ],
    ["a state that leads to itself", of({ states: { on: { entry: "say", exit: "add", on: { go: "on" } } } })],
    [
      "a parent that leads to its child",
      of({
        states: {
          on: {
            initial: "a",
            entry: "say",
            exit: "add",
            on: { go: ".b" },
            states: { a: { exit: "say" }, b: { entry: "add" } },
          },
        },
      }),
    ],
    [
      "wildcards",
      of({
        on: { "go.*": { actions: "say" } },
        states: { on: { on: { "*": { guard: "odd", actions: "say" }, "go.far.*": { actions: "add" } } } },
      }),
    ],
  ])("comes out as XState has it: %s", (_, machine) => {
    const provided = machine.provide({ actors: { x: MACHINES.input } });
    const [ours, theirs] = twice(provided, { type: "go" }, { type: "go.far" }, { type: "go.far.away" }, { type: "go" });
    expect(ours).toStrictEqual(theirs);
  });

  it.each([
    ["an action of one's own", { actions: "own" }],
    ["an action that throws", { actions: "fail" }],
    ["a guard that throws", { guard: "broken", actions: "add" }],
    ["an action that is not there", { actions: "nowhere" }],
  ])("fails in XState's words: %s", (_, go) => {
    const machine = of({ states: { on: { on: { go } } } });
    const { snapshot } = born(machine, { n: 0 });
    const failure = (move: typeof moved): string => {
      try {
        return JSON.stringify(move(machine, snapshot, { type: "go" }).effects);
      } catch (error) {
        return String(error);
      }
    };
    expect(failure(moved)).toContain("Error");
    expect(failure(moved)).toBe(failure(movedInXState));
  });
});
