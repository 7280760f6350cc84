/** Covers `chart-table.ts`, `chart-nodes.ts`, `chart-actions.ts`: what a table refuses, and what it does without XState. */
import { describe, expect, it } from "vitest";
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  and,
  assign,
  cancel,
  type EventObject,
  emit,
  enqueueActions,
  raise,
  sendTo,
  setup,
  spawnChild,
} from "xstate";
import { ChartTable } from "../../../actors/host/chart-table.ts";
import { bornInXState, type Moved, movedInXState } from "../../../actors/host/interpret.ts";
import { told } from "../../support/oracle.ts";
import { MACHINES } from "../../support/stage.ts";

type Context = { n: number; seen: string[] };
const saw = (name: string) =>
  assign<Context, EventObject, undefined, EventObject, never>({ seen: ({ context }) => [...context.seen, name] });
const make = setup({
  types: {} as { context: Context; input: { n: number }; events: EventObject; emitted: EventObject },
  actions: {
    add: assign({ n: ({ context }) => context.n + 1 }),
    "in a": saw("in a") as never,
    "in b": saw("in b") as never,
    "in c": saw("in c") as never,
    "out a": saw("out a") as never,
    "out b": saw("out b") as never,
    "out c": saw("out c") as never,
    way: saw("way") as never,
    say: emit({ type: "said" }),
    named: emit(({ event }) => ({ type: "said", of: event.type })),
    own: () => undefined,
    selfish: assign({ seen: ({ self }) => [String(self)] }),
    far: sendTo({ key: "turn/x" } as never, { type: "hello" } as never),
    each: sendTo({ every: true } as never, { type: "hello" } as never),
    child: sendTo("c", { type: "hello" }),
    later: raise({ type: "rung" }, { delay: 30, id: "bell" }),
    never: raise({ type: "rung" }, { delay: Number.POSITIVE_INFINITY, id: "bell" }),
    now: raise({ type: "rung" }),
    quiet: cancel("bell"),
    spawn: spawnChild("input", { id: "c" }),
    strange: spawnChild("nobody" as never, { id: "c" }),
    several: enqueueActions(({ enqueue }) => {
      enqueue.emit({ type: "said" });
      enqueue.assign({ n: 7 });
    }),
  },
  actors: { input: MACHINES.input },
  guards: { odd: ({ context }) => context.n % 2 === 1, both: and(["odd"]) },
});
const BASE = { context: ({ input }: { input: { n: number } }) => ({ n: input.n, seen: [] }), initial: "on" };
const of = (config: object) => make.createMachine({ ...BASE, ...config } as never) as unknown as AnyStateMachine;
/** A chart that does one thing on `go`. */
const does = (go: unknown) => of({ states: { on: { on: { go } }, off: {} } });

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
