/** What the durable charts do not have: as XState has it, or refused in its words. */
import { describe, expect, it } from "vitest";
import { type AnyStateMachine, assign, type EventObject, emit, setup } from "xstate";
import { born, bornInXState, type Moved, moved, movedInXState } from "../../../actors/host/interpret.ts";
import { told } from "../../support/oracle.ts";
import { MACHINES } from "../../support/stage.ts";

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
