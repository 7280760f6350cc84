/** Covers `chart.ts`: every node, way and group of a document. */
import { describe, expect, test } from "vitest";
import {
  aboutOf,
  type ChartEdge,
  chartOf,
  type EdgeKind,
  edgeText,
  type Grouped,
  groupsOf,
  leads,
  shownEdges,
} from "../../../projections/chart/chart.ts";
import { parse } from "../../machines/workflow/fixtures.ts";

const SOURCE = `
name: whole
states:
  initial: first
  first:
    type: agent
    provider: claude
    description: "Thinks"
    prompt: hi
    approval: {on_deny: skip}
    on_skip: each
    transitions: [{when: "1 == 1", goto: fan}, {goto: each}]
    on_failure: {message: "no <luck>", status: 3}
  fan: {type: parallel, parallel: [left, right], on_success: each, on_failure: bad, description: "Both"}
  left: {type: command, command: left}
  right: {type: command, command: right}
  each: {type: for_each, items: [a], body: [one, two, three], on_complete: done, on_failure: bad}
  one: {type: command, command: one, on_success: two}
  two: {type: while, while: "1 == 2", body: [inner], on_complete: three}
  inner: {type: command, command: inner}
  three: {type: command, command: three}
  lost: {type: command, command: lost, on_success: done}
  done: {type: terminal}
  bad: {type: terminal, status: failure}
`;
const workflow = parse(SOURCE).workflow;
if (workflow === null) throw new Error("not read");
const CHART = chartOf(workflow);
const text = ({ from, to, kind, label }: ChartEdge): string =>
  `${from} ─${kind}${label === "" ? "" : ` ${label}`}→ ${to}`;

test("every state with what it is for, who does it and what it holds, in the plan's order, ends last", () => {
  const plain = { description: "", provider: null, status: null, members: [] };
  const step = (name: string, more: object = {}) => ({ name, label: name, kind: "command", ...plain, ...more });
  const { nodes, ...rest } = CHART;
  expect({ name: rest.name, initial: rest.initial }).toEqual({ name: "whole", initial: "first" });
  expect(nodes).toEqual([
    step("first", { kind: "agent", description: "Thinks", provider: "claude" }),
    step("fan", { kind: "parallel", description: "Both", members: ["left", "right"] }),
    step("left"),
    step("right"),
    step("each", { kind: "for_each", members: ["one", "two", "three"] }),
    step("one"),
    step("two", { kind: "while", members: ["inner"] }),
    step("inner"),
    step("three"),
    step("lost"),
    step("done", { kind: "terminal", status: "success" }),
    step("bad", { kind: "terminal", status: "failure" }),
    step("__inline_error_first", { kind: "terminal", status: "failure", label: "no <luck>" }),
  ]);
});

test("every way, and those that a drawing shows", () => {
  const all = [
    "first ─when 1 == 1→ fan",
    "first ─when→ each",
    "first ─failure→ __inline_error_first",
    "first ─skip→ each",
    "fan ─enter→ left",
    "fan ─enter→ right",
    "left ─return→ fan",
    "right ─return→ fan",
    "fan ─success→ each",
    "fan ─failure→ bad",
    "each ─enter→ one",
    "one ─next→ two",
    "two ─next→ three",
    "one ─return→ each",
    "two ─return→ each",
    "three ─return→ each",
    "each ─complete→ done",
    "each ─failure→ bad",
    "one ─success→ two",
    "two ─enter→ inner",
    "inner ─return→ two",
    "two ─complete→ three",
    "lost ─success→ done",
  ];
  expect(CHART.edges.map(text)).toEqual(all);
  const hidden = (line: string): boolean => line.includes("─return") || line.includes("─next");
  expect(shownEdges(CHART).map(text)).toEqual(all.filter((line) => !hidden(line)));
  const bare = chartOf(
    parse(
      "name: x\nstates:\n  initial: l\n  l: {type: for_each, items: [1], body: [a, b], on_complete: d}\n  a: {command: x, on_failure: d}\n  b: {command: y}\n  d: {type: terminal}\n",
    ).workflow!,
  );
  expect(shownEdges(bare).map(text)).toContain("a ─next→ b");
});

test("a run comes to a state from outside, from beside and from below, not the other way round", () => {
  const ways: [string, string, boolean][] = [
    ["first", "fan", true],
    ["left", "each", true],
    ["left", "right", true],
    ["inner", "done", true],
    ["inner", "three", true],
    ["inner", "inner", true],
    ["three", "one", true],
    ["fan", "inner", false],
    ["three", "each", false],
    ["done", "first", false],
    ["lost", "bad", false],
  ];
  expect(ways.map(([from, to]) => [from, to, leads(CHART, from, to)])).toEqual(ways);
});

test("containers as groups, each state once", () => {
  const shown = (groups: readonly Grouped[]): unknown[] =>
    groups.map(({ node, inner }) => (inner.length === 0 ? node.name : [node.name, ...shown(inner)]));
  expect(shown(groupsOf(CHART))).toEqual([
    "first",
    ["fan", "left", "right"],
    ["each", "one", ["two", "inner"], "three"],
    "lost",
    "done",
    "bad",
    "__inline_error_first",
  ]);
  const node = (name: string, members: string[]) => ({ ...CHART.nodes[0]!, name, members });
  const odd = {
    ...CHART,
    nodes: [node("a", ["c", "gone"]), node("b", ["c"]), node("c", []), node("x", ["y"]), node("y", ["x"])],
  };
  expect(shown(groupsOf(odd))).toEqual([["a", "c"], "b", ["x", "y"]]);
});

describe("words", () => {
  test("of a way", () => {
    const words: [EdgeKind, string, string][] = [
      ["when", "a > b", "a > b"],
      ["when", "", "otherwise"],
      ["failure", "", "on failure"],
      ["skip", "", "on skip"],
      ["complete", "", "when done"],
      ["success", "", ""],
      ["enter", "", ""],
      ["next", "", ""],
      ["return", "", ""],
    ];
    expect(words.map(([kind, label]) => [kind, label, edgeText({ from: "a", to: "b", kind, label })])).toEqual(words);
  });

  test("of a state", () => {
    const about = (description: string, provider: string | null) =>
      aboutOf({ ...CHART.nodes[0]!, description, provider });
    expect([about("Thinks", "claude"), about("Thinks", null), about("", "claude"), about("", null)]).toEqual([
      "claude: Thinks",
      "Thinks",
      "claude",
      "",
    ]);
  });
});
