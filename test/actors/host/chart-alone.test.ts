/** Covers `chart-table.ts`, `chart-nodes.ts`, `chart-actions.ts`: what a table does without XState. */
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from "xstate";
import { ChartTable } from "../../../actors/host/chart-table.ts";
import { bornInXState, type Moved, movedInXState } from "../../../actors/host/interpret.ts";
import { told } from "../../support/oracle.ts";
import { type Context, does, of } from "./chart-made.ts";

/** By the table alone, then by XState; the last snapshot of the table beside. */
function moves(
  machine: AnyStateMachine,
  types: readonly string[],
): { last: AnyMachineSnapshot; before: AnyMachineSnapshot } {
  const table = new ChartTable(machine);
  let before = table.born({ n: 0 }) as Moved;
  expect(told(machine, before)).toStrictEqual(told(machine, bornInXState(machine, { n: 0 })));
  let last = before;
  for (const type of types) {
    before = last;
    const theirs = movedInXState(machine, before.snapshot, { type });
    last = table.moved(before.snapshot, { type }) as Moved;
    expect(last, `the table leaves ${type} to XState`).not.toBeNull();
    expect(told(machine, last)).toStrictEqual(told(machine, theirs));
  }
  return { last: last.snapshot, before: before.snapshot };
}

describe("the table does without XState", () => {
  it("states in states: what is left from the inside, what is entered from the outside", () => {
    const deep = {
      entry: "in a",
      exit: "out a",
      initial: "b",
      states: {
        b: {
          entry: "in b",
          exit: "out b",
          initial: "c",
          states: { c: { entry: "in c", exit: "out c", on: { over: { target: "d", actions: "way" } } }, d: {} },
        },
      },
    };
    const machine = of({ states: { on: { on: { go: { target: "#x.deep.b.d", actions: "way" } } }, deep }, id: "x" });
    const { last } = moves(machine, ["go", "over", "nobody.knows"]);
    expect(last.context).toEqual({ n: 0, seen: ["way", "in a", "in b"] });
    const whole = moves(of({ states: { on: { on: { go: "deep" } }, deep: { ...deep, on: { back: "on" } } } }), [
      "go",
      "over",
      "back",
      "go",
      "back",
    ]).last;
    expect((whole.context as Context).seen).toEqual([
      ...["in a", "in b", "in c", "out c", "way", "out b", "out a"],
      ...["in a", "in b", "in c", "out c", "out b", "out a"],
    ]);
  });

  it("regions, each by its own way, or one alone", () => {
    const region = (name: string) => ({
      initial: "x",
      entry: `in ${name}`,
      states: {
        x: { exit: `out ${name}`, on: { go: { target: "y", actions: "add" }, [name]: "y" } },
        y: { entry: `in ${name}`, on: { back: "x" } },
      },
    });
    const machine = of({
      initial: undefined,
      type: "parallel",
      states: { a: region("a"), b: region("b"), c: region("c") },
    });
    const { last } = moves(machine, ["b", "go", "nothing", "back", "go", "c", "back", "a"]);
    expect(last.value).toEqual({ a: "y", b: "x", c: "x" });
  });

  it("an end with its output, for which children are stopped", () => {
    const machine = of({
      output: ({ context, event }: { context: Context; event: EventObject }) => [context.n, event.type],
      states: { on: { entry: "spawn", on: { go: { target: "off", actions: "add" } } }, off: { type: "final" } },
    });
    const table = new ChartTable(machine);
    const { snapshot } = table.born({ n: 0 }) as Moved;
    const ended = table.moved(snapshot, { type: "go" }) as Moved;
    expect([ended.snapshot.status, ended.snapshot.output]).toEqual(["done", [1, "xstate.done.state.(machine).off"]]);
    expect(ended.effects).toEqual([{ do: "stop", id: "c" }]);
  });

  it("nothing: the snapshot is the same one", () => {
    const machine = does([{ guard: "odd", target: "off" }]);
    const { last, before } = moves(machine, ["go", "other"]);
    expect(last).toBe(before);
    const said = moves(does({ actions: "say" }), ["go"]);
    expect(said.last).toBe(said.before);
    const added = moves(does({ actions: "add" }), ["go"]);
    expect(added.last).not.toBe(added.before);
  });

  it("what is said, sent, set and taken back", () => {
    for (const act of ["say", "named", "far", "each", "later", "never", "quiet", "several"])
      moves(does({ actions: [act, "add"] }), ["go", "go"]);
    moves(of({ states: { on: { on: { go: { actions: "spawn" } } } } }), ["go"]);
  });
});
