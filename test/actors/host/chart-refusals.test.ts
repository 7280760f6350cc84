/** Covers `chart-table.ts`, `chart-nodes.ts`, `chart-actions.ts`: charts and moves that a table refuses. */
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot, AnyStateMachine } from "xstate";
import { ChartTable } from "../../../actors/host/chart-table.ts";
import type { Moved } from "../../../actors/host/interpret.ts";
import { does, of } from "./chart-made.ts";

describe("a chart is refused that has", () => {
  it.each<[string, () => AnyStateMachine]>([
    ["a context that is not made from an input", () => of({ context: { n: 0, seen: [] }, states: { on: {} } })],
    ["an output that is not computed", () => of({ output: 7, states: { on: {}, off: { type: "final" } } })],
    ["a history", () => of({ states: { on: { initial: "a", states: { a: {}, h: { type: "history" } } } } })],
    ["an invoked child", () => of({ states: { on: { invoke: { src: "input" } } } })],
    ["an end inside a state", () => of({ states: { on: { initial: "a", states: { a: { type: "final" } } } } })],
    ["an end with an output of its own", () => of({ states: { on: {}, off: { type: "final", output: () => 1 } } })],
    [
      "actions on the way into its first state",
      () => of({ initial: { target: "on", actions: "say" }, states: { on: {} } }),
    ],
    [
      "regions below its root's states",
      () => of({ states: { on: { type: "parallel", states: { a: { initial: "x", states: { x: {} } } } } } }),
    ],
    [
      "regions, and transitions of its root",
      () =>
        of({
          initial: undefined,
          type: "parallel",
          on: { go: { actions: "say" } },
          states: { a: { initial: "x", states: { x: {} } } },
        }),
    ],
    ["a region without states", () => of({ initial: undefined, type: "parallel", states: { a: {}, b: {} } })],
    [
      "a way to two states",
      () =>
        of({
          initial: undefined,
          type: "parallel",
          states: {
            a: { initial: "x", states: { x: { on: { go: { target: ["#p", "#q"] } } }, y: { id: "p" } } },
            b: { initial: "x", states: { x: {}, y: { id: "q" } } },
          },
        }),
    ],
    ["no states", () => of({ initial: undefined })],
  ])("%s", (_, machine) => {
    const made = machine();
    expect(() => new ChartTable(made)).toThrow(/left to XState/);
  });
});

describe("a move is refused that needs", () => {
  it.each<[string, unknown]>([
    ["an action of one's own", { actions: "own" }],
    ["an action in the chart itself", { actions: () => undefined }],
    ["an action that is not there", { actions: "nowhere" }],
    ["a guard in the chart itself", { guard: () => true, actions: "add" }],
    ["a guard that is not there", { guard: "nowhere", actions: "add" }],
    ["a guard made of guards", { guard: "both", actions: "add" }],
    ["the machine itself", { actions: "selfish" }],
    ["a child that is not there", { actions: "child" }],
    ["a child that nobody knows", { actions: "strange" }],
    ["an event that is raised at once", { actions: "now" }],
  ])("%s", (_, go) => {
    const table = new ChartTable(does(go));
    const { snapshot } = table.born({ n: 0 }) as Moved;
    expect(() => table.moved(snapshot, { type: "go" })).toThrow(/left to XState/);
  });

  it("an end that does something when it is left", () => {
    const machine = of({ states: { on: { on: { go: "off" } }, off: { type: "final", exit: "say" } } });
    const table = new ChartTable(machine);
    const { snapshot } = table.born({ n: 0 }) as Moved;
    expect(() => table.moved(snapshot, { type: "go" })).toThrow("an end that is left is left to XState");
  });

  it("a way out of a region", () => {
    const machine = of({
      initial: undefined,
      type: "parallel",
      states: {
        one: { initial: "a", states: { a: { on: { go: "#other" } } } },
        two: { initial: "a", states: { a: {}, b: { id: "other" } } },
      },
    });
    const table = new ChartTable(machine);
    const { snapshot } = table.born({ n: 0 }) as Moved;
    expect(() => table.moved(snapshot, { type: "go" })).toThrow("a way out of a region is left to XState");
  });

  it("more turns than a thousand, an event of XState's own that nobody hears, and anything behind the end", () => {
    const turning = of({ states: { on: { on: { go: "a" } }, a: { always: "b" }, b: { always: "a" } } });
    const table = new ChartTable(turning);
    const { snapshot } = table.born({ n: 0 }) as Moved;
    expect(table.moved(snapshot, { type: "go" })).toBeNull();
    expect(table.moved(snapshot, { type: "xstate.stop" })).toBeNull();
    expect(table.moved({ ...snapshot, status: "done" } as AnyMachineSnapshot, { type: "go" })).toBeNull();
  });
});
