/** Covers `chart-table.ts`: what a table leaves as it is, and what it leaves to XState. */
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { ChartTable } from "../../../actors/host/chart-table.ts";
import type { Moved } from "../../../actors/host/interpret.ts";
import { of, say } from "./chart-walked.ts";

const failure = (act: () => unknown): string => {
  try {
    act();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("what is the same stays the same", () => {
  const machine = of({ initial: "a", states: { a: { on: { go: { actions: say("x") }, add: { actions: "add" } } } } });
  const table = new ChartTable(machine);
  const { snapshot } = table.born({ n: 0 }) as Moved;
  const leftBy = (type: string): AnyMachineSnapshot | undefined => table.moved(snapshot, { type })?.snapshot;
  it("a snapshot that an event leaves as it is", () => {
    expect(leftBy("go")).toBe(snapshot);
    expect(leftBy("none")).toBe(snapshot);
    expect(leftBy("add")).not.toBe(snapshot);
  });
  it("the states of all snapshots of one place", () => {
    expect(leftBy("add")?._nodes).toBe(snapshot._nodes);
    expect(table.born({ n: 5 })?.snapshot._nodes).toBe(snapshot._nodes);
  });
  it("what XState itself sends is left to it, where nothing hears it", () => {
    expect(table.moved(snapshot, { type: "xstate.done.actor.x" })).toBeNull();
  });
});

describe("a chart is left to XState", () => {
  const states = {
    a: { exit: "add", on: { go: { guard: "both", actions: "add" }, off: "end" } },
    end: { type: "final" },
  };
  it("that begins with anything but an expression, or ends with a value", () => {
    const made = (config: object) => failure(() => new ChartTable(of({ initial: "a", states, ...config })));
    expect(made({})).toBe("");
    expect(made({ output: () => 1 })).toBe("");
    expect(made({ context: { n: 0 } })).toBe("a context is left to XState");
    expect(made({ output: { n: 1 } })).toBe("a context is left to XState");
  });
  it("where a guard is made of others", () => {
    const table = new ChartTable(of({ initial: "a", states }));
    const { snapshot } = table.born({ n: 0 }) as Moved;
    expect(failure(() => table.moved(snapshot, { type: "go" }))).toBe("a guard is left to XState");
  });
  it("where its root is left with its end", () => {
    const table = new ChartTable(of({ initial: "a", states, exit: "add" }));
    const { snapshot } = table.born({ n: 0 }) as Moved;
    expect(failure(() => table.moved(snapshot, { type: "off" }))).toBe("an end that is left is left to XState");
  });
  it("where its first context asks for more than it is born with", () => {
    const table = new ChartTable(of({ initial: "a", states, context: ({ self }: { self: object }) => ({ self }) }));
    expect(failure(() => table.born({ n: 0 }))).toBe("self is left to XState");
  });
});
