/** Covers `chart-table.ts`: what a table makes by itself, held against XState. */
import { describe, expect, it } from "vitest";
import { type AnyStateMachine, emit } from "xstate";
import { ChartTable } from "../../../actors/host/chart-table.ts";
import { bornInXState, type Moved, movedInXState } from "../../../actors/host/interpret.ts";
import { told } from "../../support/oracle.ts";
import { type Given, of, say } from "./chart-walked.ts";

/** What the table alone makes of some events; each step is XState's too. */
function walked(machine: AnyStateMachine, ...types: string[]): Moved[] {
  const table = new ChartTable(machine);
  let ours = table.born({ n: 0 }) as Moved;
  let theirs = bornInXState(machine, { n: 0 });
  expect(told(machine, ours)).toStrictEqual(told(machine, theirs));
  const steps = [ours];
  for (const type of types) {
    ours = table.moved(ours.snapshot, { type }) as Moved;
    theirs = movedInXState(machine, theirs.snapshot, { type });
    expect(told(machine, ours)).toStrictEqual(told(machine, theirs));
    steps.push(ours);
  }
  return steps;
}
/** What it says at each step. */
const words = (steps: readonly Moved[]): string[] =>
  steps.map(({ effects }) => effects.map((one) => (one.do === "append" ? one.row.type : one.do)).join(" "));

describe("states that are left and entered say so from the inside out and from the outside in", () => {
  const state = (name: string, more: object = {}) => ({ entry: say(`+${name}`), exit: say(`-${name}`), ...more });
  const tree = of({
    ...{ entry: say("+m"), exit: say("-m"), initial: "a" },
    on: { again: { target: ".a", actions: say("again") }, stay: { actions: say("stay") } },
    states: {
      a: state("a", {
        initial: "b",
        on: {
          down: { target: ".b", actions: say("down") },
          over: { target: ".b", reenter: true, actions: say("over") },
          self: { target: "a", actions: say("self") },
          anew: { target: "a", reenter: true, actions: say("anew") },
        },
        states: {
          b: state("b", {
            initial: "c",
            states: {
              c: state("c", { on: { next: "d", same: { target: "c", actions: say("same") } } }),
              d: state("d"),
            },
          }),
          e: state("e"),
        },
      }),
      f: state("f", {
        initial: "g",
        states: { g: state("g", { initial: "h", states: { h: state("h"), i: state("i", { id: "deep" }) } }) },
      }),
    },
  });
  it.each([
    ["next", "-c +d"],
    ["down", "-c -b down +b +c"],
    ["over", "-c -b -a over +a +b +c"],
    ["self", "-c -b self +b +c"],
    ["anew", "-c -b -a anew +a +b +c"],
    ["again", "-c -b -a again +a +b +c"],
    ["same", "same"],
    ["stay", "stay"],
    ["none", ""],
  ])("%s", (type, said) => {
    expect(words(walked(tree, type))).toEqual(["+m +a +b +c", said]);
  });
  it("also far away", () => {
    const far = of({ ...tree.config, on: { far: { target: "#deep", actions: say("far") } } });
    expect(words(walked(far, "next", "far"))).toEqual(["+m +a +b +c", "-c +d", "-d -b -a far +f +g +i"]);
  });
});

describe("regions side by side", () => {
  const region = (name: string, on: object) => ({
    ...{ initial: "a", entry: say(`+${name}`) },
    states: { a: { entry: say(`+${name}a`), exit: say(`-${name}a`), on }, b: { entry: say(`+${name}b`) } },
  });
  const machine = of({
    type: "parallel",
    entry: say("+m"),
    states: {
      one: region("1", { go: { target: "b", actions: say("1go") }, left: { actions: say("left") } }),
      two: region("2", { go: { target: "b", actions: say("2go") }, right: { target: "b", actions: "add" } }),
      three: { ...region("3", {}), on: { right: { guard: "is odd", actions: say("odd") } } },
    },
  });
  it("are left last first, and entered first first", () => {
    expect(words(walked(machine, "go", "go"))).toEqual(["+m +1 +1a +2 +2a +3 +3a", "-2a -1a 1go 2go +1b +2b", ""]);
  });
  it("move alone where the others have no way", () => {
    const steps = walked(machine, "left", "right", "right", "go");
    expect(words(steps)).toEqual(["+m +1 +1a +2 +2a +3 +3a", "left", "-2a +2b", "odd", "-1a 1go +1b"]);
    expect(steps.map(({ snapshot }) => snapshot.value)).toEqual([
      { one: "a", two: "a", three: "a" },
      { one: "a", two: "a", three: "a" },
      { one: "a", two: "b", three: "a" },
      { one: "a", two: "b", three: "a" },
      { one: "b", two: "b", three: "a" },
    ]);
  });
});

describe("turns without an event", () => {
  const counting = (most: number) =>
    of({ initial: "a", states: { a: { always: { guard: { type: "is less", params: most }, actions: "add" } } } });
  const born = (machine: AnyStateMachine): Moved | null => new ChartTable(machine).born({ n: 0 });
  it("are taken until none is left, and no more than a thousand", () => {
    expect(born(counting(1_000))?.snapshot.context).toEqual({ n: 1_000 });
    expect(born(counting(1_001))).toBeNull();
  });
  it("lead from state to state, those of the innermost one first", () => {
    const states = { a: { always: "b" }, b: { always: [{ guard: "is odd", target: "a" }, "c"] }, c: {}, d: {} };
    const whole = { initial: "a", states, always: { guard: "is odd", target: ".d" } };
    const table = new ChartTable(of({ initial: "on", states: { on: whole } }));
    expect([0, 1].map((n) => table.born({ n }))).toMatchObject([{ snapshot: { value: { on: "c" } } }, null]);
    const inner = { initial: "a", states: { a: { always: { guard: "is odd", actions: "add" } }, d: {} } };
    const outer = of({ initial: "on", states: { on: { ...inner, always: { guard: "is odd", target: ".d" } } } });
    expect(new ChartTable(outer).born({ n: 1 })?.snapshot).toMatchObject({ value: { on: "a" }, context: { n: 2 } });
  });
  it("that change nothing are taken once", () => {
    const machine = of({
      initial: "a",
      on: { go: { actions: "add" } },
      states: { a: { always: { actions: say("x") } } },
    });
    expect(words([born(machine) as Moved])).toEqual(["x"]);
  });
  it("are taken by regions too", () => {
    const region = (on: object) => ({ initial: "a", states: { a: on, b: {} } });
    const two = region({ always: { guard: "is odd", target: "b" } });
    const machine = of({ type: "parallel", states: { one: region({ on: { go: { actions: "add" } } }), two } });
    expect(walked(machine, "go").map(({ snapshot }) => snapshot.value)).toEqual([
      { one: "a", two: "a" },
      { one: "a", two: "b" },
    ]);
  });
});

describe("an end", () => {
  const states = { a: { on: { go: "end" } }, end: { type: "final", entry: "add" } };
  const output = ({ context: { n }, event }: Given) => ({ n, event });
  it("says what the machine has come to, and stops its children", () => {
    const table = new ChartTable(of({ initial: "a", states, output }));
    const { snapshot } = table.born({ n: 1 }) as Moved;
    expect([snapshot.status, snapshot.output]).toEqual(["active", undefined]);
    const before = Object.assign(Object.create(null), snapshot, { children: { x: { id: "x" }, y: { id: "y" } } });
    const end = table.moved(before, { type: "go" }) as Moved;
    expect([end.snapshot.status, end.snapshot.output]).toEqual([
      "done",
      { n: 2, event: { type: "xstate.done.state.m.end", output: undefined } },
    ]);
    expect(end.effects).toEqual([
      { do: "stop", id: "x" },
      { do: "stop", id: "y" },
    ]);
    expect(table.moved(end.snapshot, { type: "go" })).toBeNull();
    expect(walked(of({ initial: "a", states, output }), "go").at(-1)?.snapshot.output).toEqual({
      n: 1,
      event: { type: "xstate.done.state.m.end", output: undefined },
    });
  });
  it("may say nothing, and be there at once", () => {
    const [, end] = walked(of({ initial: "a", states }), "go");
    expect([end?.snapshot.status, end?.snapshot.output]).toEqual(["done", undefined]);
    const [born] = walked(of({ initial: "a", states: { a: { type: "final" } } }));
    expect([born?.snapshot.status, born?.effects]).toEqual(["done", []]);
  });
});

it("a first state is entered by an event of XState's own", () => {
  const tell = emit((({ event }: Given) => ({ type: `by ${event.type}` })) as never);
  const machine = of({ initial: "a", states: { a: { entry: "tell" } } }).provide({ actions: { tell } } as never);
  expect(words(walked(machine as AnyStateMachine))).toEqual(["by xstate.init"]);
});
