/** The states of a chart as a tree, and what no chart of this house has. */
import { describe, expect, it } from "vitest";
import { type AnyStateMachine, type AnyStateNode, createMachine } from "xstate";
import {
  above,
  candidates,
  domainOf,
  initialBelow,
  isBelow,
  isLeaf,
  refuseStrange,
  regionsOf,
} from "../../../actors/host/chart-nodes.ts";

const chart = (config: object): AnyStateNode =>
  (createMachine({ id: "m", ...config } as never) as unknown as AnyStateMachine).root;
const ids = (nodes: readonly AnyStateNode[]): string[] => nodes.map(({ id }) => id);
const said = (act: () => unknown): string => {
  try {
    act();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

const TREE = chart({
  initial: "a",
  states: {
    a: {
      initial: "b",
      states: { b: { initial: "c", states: { c: {}, d: {} } }, e: {} },
    },
    end: { type: "final" },
  },
});
const nodeOf = (...path: string[]): AnyStateNode =>
  path.reduce<AnyStateNode>((node, name) => node.states[name] as AnyStateNode, TREE);
const [A, B, C, D, E, END] = [
  nodeOf("a"),
  nodeOf("a", "b"),
  nodeOf("a", "b", "c"),
  nodeOf("a", "b", "d"),
  nodeOf("a", "e"),
  nodeOf("end"),
];

describe("a chart is refused, and the state is named", () => {
  const two = { a: { id: "a" }, b: { id: "b" } };
  it.each<[string, string, object]>([
    [
      "with a history",
      "m.a.h",
      { initial: "a", states: { a: { initial: "b", states: { b: {}, h: { type: "history" } } } } },
    ],
    ["with an invoked child", "m.a", { initial: "a", states: { a: { invoke: { src: "x" } }, b: {} } }],
    [
      "with an end inside a state",
      "m.a.b",
      { initial: "a", states: { a: { initial: "b", states: { b: { type: "final" } } } } },
    ],
    ["with an end that says what it is", "m.b", { initial: "a", states: { a: {}, b: { type: "final", output: 1 } } }],
    ["with actions before its first state", "m", { initial: { target: "a", actions: "x" }, states: { a: {} } }],
    ["with regions below a state", "m.a", { initial: "a", states: { a: { type: "parallel", states: {} } } }],
    ["with regions and an event beside them", "m", { type: "parallel", on: { go: { actions: "x" } }, states: {} }],
    ["with regions and a turn beside them", "m", { type: "parallel", always: { actions: "x" }, states: {} }],
    ["with a region without states", "m.a", { type: "parallel", states: { a: {} } }],
    ["with two targets of an event", "m", { initial: "a", on: { go: { target: ["#a", "#b"] } }, states: two }],
    ["with two targets of a turn", "m", { initial: "a", always: { target: ["#a", "#b"] }, states: two }],
    ["without states", "m", {}],
  ])("%s", (_, node, config) => {
    expect(said(() => refuseStrange(chart(config)))).toBe(`${node} is left to XState`);
  });

  it("but not with what the charts of this house have", () => {
    expect(said(() => refuseStrange(TREE))).toBe("");
    const states = { a: { on: { go: "b" }, always: { guard: "x", target: "b" } }, b: {} };
    expect(said(() => refuseStrange(chart({ initial: "a", on: { go: { actions: "x" } }, states })))).toBe("");
    const region = { initial: "a", states };
    expect(said(() => refuseStrange(chart({ type: "parallel", states: { one: region, two: region } })))).toBe("");
  });
});

it("a leaf has no states below it", () => {
  const all = [TREE, A, B, C, D, E, END];
  expect(ids(all.filter(isLeaf))).toEqual(["m.a.b.c", "m.a.b.d", "m.a.e", "m.end"]);
  expect(isLeaf(chart({ type: "parallel", states: {} }))).toBe(false);
});

it("the states above one come from the inside out, up to one that is not among them", () => {
  expect(ids(above(C, undefined))).toEqual(["m.a.b", "m.a", "m"]);
  expect(ids(above(C, A))).toEqual(["m.a.b"]);
  expect(ids(above(C, B))).toEqual([]);
  expect(ids(above(C, C))).toEqual([]);
  expect(ids(above(TREE, undefined))).toEqual([]);
});

it("a state lies below those above it, and not below itself", () => {
  expect([C, D, E, B, A, TREE, END].map((node) => isBelow(node, B))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect([C, A, END, TREE].map((node) => isBelow(node, TREE))).toEqual([true, true, true, false]);
});

it("a state begins in its first states, from the outside in", () => {
  expect(ids(initialBelow(TREE))).toEqual(["m.a", "m.a.b", "m.a.b.c"]);
  expect(ids(initialBelow(B))).toEqual(["m.a.b.c"]);
  expect(ids(initialBelow(C))).toEqual([]);
  expect(ids(initialBelow(END))).toEqual([]);
});

it("a machine has its regions, or itself", () => {
  const region = { initial: "a", states: { a: {} } };
  expect(ids(regionsOf(TREE))).toEqual(["m"]);
  expect(ids(regionsOf(chart({ type: "parallel", states: { one: region, two: region } })))).toEqual(["m.one", "m.two"]);
});

it("a transition does not leave the innermost state that holds both of its ends", () => {
  const domain = (to: AnyStateNode, source: AnyStateNode, reenter = false): string => domainOf(to, source, reenter).id;
  // Downwards and to itself: its source, unless that is entered again.
  expect([domain(C, B), domain(C, A), domain(B, B)]).toEqual(["m.a.b", "m.a", "m.a.b"]);
  expect([domain(C, B, true), domain(B, B, true), domain(C, C, true)]).toEqual(["m.a", "m.a", "m.a.b"]);
  expect([domain(D, C), domain(E, C), domain(END, C), domain(A, C)]).toEqual(["m.a.b", "m.a", "m", "m"]);
  expect(said(() => domain(A, TREE, true))).toBe("a transition of the root is left to XState");
});

describe("the transitions of a state for an event", () => {
  const to = (node: AnyStateNode, type: string): string[] => candidates(node, type).map(({ eventType }) => eventType);
  const node = chart({
    initial: "a",
    states: { a: {} },
    on: {
      "*": { actions: "x" },
      "go.*": { actions: "x" },
      "go.far.*": { actions: "x" },
      "go.far": [{ guard: "g", actions: "x" }, { actions: "x" }],
      gone: { actions: "x" },
    },
  });
  it("are those of its own name, then wildcards, the longest one first", () => {
    expect(to(node, "go.far")).toEqual(["go.far", "go.far", "go.far.*", "go.*", "*"]);
    expect(to(node, "go.far.away")).toEqual(["go.far.*", "go.*", "*"]);
    expect(to(node, "go")).toEqual(["go.*", "*"]);
    expect(to(node, "gone")).toEqual(["gone", "*"]);
    expect(to(node, "stay")).toEqual(["*"]);
    expect(to(chart({ initial: "a", states: { a: {} } }), "go")).toEqual([]);
  });
  it("with a wildcard inside a name are left to XState", () => {
    const strange = chart({
      initial: "a",
      states: { a: {} },
      on: { "go.*.*": { actions: "x" }, "*.end": { actions: "x" } },
    });
    expect(said(() => to(strange, "go.far"))).toBe("go.*.* is left to XState");
  });
});
