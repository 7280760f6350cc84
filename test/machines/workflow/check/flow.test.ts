/** The moments of a workflow: all ways between them, and what can come after what. */
import { describe, expect, it } from "vitest";
import {
  enter,
  exit,
  type Flow,
  flowOf,
  laterThan,
  leadingTo,
  type Moment,
} from "../../../../machines/workflow/check/flow.ts";
import type { Workflow } from "../../../../machines/workflow/document.ts";
import { documentOf } from "../fixtures.ts";
import { states, step } from "./said.ts";

/** A flow as plain values. */
const plain = ({ reached, followed, bodies, edges, unsure }: Flow): object => ({
  reached: [...reached].sort(),
  followed: [...followed].sort(),
  bodies: [...bodies].sort(),
  edges: Object.fromEntries([...edges].map(([from, to]) => [from, [...to].sort()])),
  unsure,
});
const flowOfText = (more: string): object => plain(flowOf(documentOf(states(more)), new Map()));
const LINE = documentOf(states(step("a", "command: x", "b") + step("b", "command: x", "d")));

describe("the ways", () => {
  it("of steps in a line go from the exit of one to the next", () => {
    expect(plain(flowOf(LINE, new Map()))).toEqual({
      reached: ["a", "b", "d"],
      followed: ["a", "b", "d"],
      bodies: [],
      edges: {
        "enter:a": ["exit:a"],
        "exit:a": ["enter:b"],
        "enter:b": ["exit:b"],
        "exit:b": ["enter:d"],
        "enter:d": ["exit:d"],
      },
      unsure: false,
    });
  });

  it("of a parallel lead through its branches, in the order of their needs, and from no branch to elsewhere", () => {
    expect(
      flowOfText(
        "  a: {parallel: [p, q], on_success: d}\n  p: {command: x, on_success: d}\n  q: {command: x, depends_on: [p]}\n",
      ),
    ).toEqual({
      reached: ["a", "d", "p", "q"],
      followed: ["a", "d"],
      bodies: [],
      edges: {
        "enter:a": ["enter:p", "enter:q"],
        "enter:p": ["exit:p"],
        "exit:p": ["enter:q", "exit:a"],
        "enter:q": ["exit:q"],
        "exit:q": ["exit:a"],
        "exit:a": ["enter:d"],
        "enter:d": ["exit:d"],
      },
      unsure: false,
    });
  });

  it("of a branch that is an end, needs what is no branch, or leads elsewhere, are its own alone", () => {
    const workflow = documentOf(states("  a: {parallel: [p], on_success: d}\n  p: {command: x}\n"));
    const { a, p } = workflow.states;
    if (a?.type !== "parallel" || p?.type !== "command") throw new Error("a is a parallel, p a command");
    a.branches = ["p", "d"];
    p.dependsOn = ["a", "d", "e"];
    p.onSuccess = "e";
    workflow.states["e"] = { ...p, name: "e" };
    expect(plain(flowOf(workflow, new Map()))).toEqual({
      reached: ["a", "d", "p"],
      followed: ["a", "d"],
      bodies: [],
      edges: {
        "enter:a": ["enter:d", "enter:p"],
        "enter:p": ["exit:p"],
        "exit:p": ["exit:a"],
        "enter:d": ["exit:d"],
        "exit:d": ["enter:p", "exit:a"],
        "exit:a": ["enter:d"],
      },
      unsure: false,
    });
  });

  it("of a loop lead past its body, and from its end to the next round", () => {
    const workflow = documentOf(
      states("  a: {type: for_each, items: [1], body: [b], on_complete: d}\n  b: {command: x}\n"),
    );
    // Only branches wait for each other.
    const { b } = workflow.states;
    if (b?.type === "command") b.dependsOn = ["b"];
    expect(plain(flowOf(workflow, new Map()))).toEqual({
      reached: ["a", "b", "d"],
      followed: ["a", "b", "d"],
      bodies: ["b"],
      edges: {
        "enter:a": ["enter:b", "exit:a"],
        "exit:a": ["enter:b", "enter:d"],
        "enter:b": ["exit:b"],
        "exit:b": ["exit:a"],
        "enter:d": ["exit:d"],
      },
      unsure: false,
    });
  });

  it("of a state that is a branch and more are followed, whichever comes first", () => {
    const twice = (order: string): object =>
      flowOfText(
        `  a: {command: x, on_success: ${order === "first" ? "p" : "b"}, on_failure: ${order === "first" ? "b" : "p"}}\n` +
          "  p: {parallel: [b], on_success: d}\n  b: {command: x, on_success: c}\n  c: {command: x, on_success: d}\n",
      );
    for (const order of ["first", "last"]) {
      expect(twice(order)).toMatchObject({
        reached: ["a", "b", "c", "d", "p"],
        followed: ["a", "b", "c", "d", "p"],
        bodies: [],
      });
    }
  });
});

describe("names that are not there", () => {
  const without = (workflow: Workflow, name: string): Workflow => ({
    ...workflow,
    states: Object.fromEntries(Object.entries(workflow.states).filter(([each]) => each !== name)),
  });

  it("are left out where nothing is meant", () => {
    expect(plain(flowOf(without(LINE, "b"), new Map()))).toEqual({
      reached: ["a"],
      followed: ["a"],
      bodies: [],
      edges: { "enter:a": ["exit:a"], "exit:a": ["enter:b"] },
      unsure: false,
    });
  });

  it("stand for what they mean: a beginning, a target, a branch and a step of a body", () => {
    const repairs = new Map([
      ["aa", "a"],
      ["bb", "b"],
      ["dd", "d"],
    ]);
    const line = { ...LINE, initial: "aa", states: structuredClone(LINE.states) };
    const { a } = line.states;
    if (a?.type !== "command") throw new Error("a is a command");
    a.onSuccess = "bb";
    expect(plain(flowOf(line, repairs))).toEqual(plain(flowOf(LINE, new Map())));

    for (const container of ["parallel: [b], on_success: d", "type: for_each, items: [1], body: [b], on_complete: d"]) {
      const right = documentOf(states(`  a: {${container}}\n  b: {command: x}\n`));
      const wrong = structuredClone(right);
      const node = wrong.states["a"];
      if (node?.type === "parallel") node.branches = ["bb"];
      if (node?.type === "for_each") node.body = ["bb"];
      expect(plain(flowOf(wrong, repairs))).toEqual(plain(flowOf(right, new Map())));
    }
  });

  it("make a parallel pass through itself where none of its branches is there", () => {
    const parallel = documentOf(states("  a: {parallel: [b], on_success: d}\n  b: {command: x}\n"));
    expect(plain(flowOf(without(parallel, "b"), new Map()))).toMatchObject({
      reached: ["a", "d"],
      edges: { "enter:a": ["exit:a"], "exit:a": ["enter:d"], "enter:d": ["exit:d"] },
    });
  });

  it("are unsure where a state is reached whose ways were not all read", () => {
    const unsure = (...names: string[]): boolean => flowOf(without(LINE, "b"), new Map(), new Set(names)).unsure;
    expect([unsure(), unsure("d"), unsure("a"), unsure("d", "a")]).toEqual([false, false, true, true]);
  });
});

describe("what can come after a moment", () => {
  const flow = flowOf(LINE, new Map());
  const moments: Moment[] = ["enter:a", "exit:a", "enter:b", "exit:b", "enter:d", "exit:d"];

  it("is all that its ways lead to, itself only in a circle", () => {
    const later = laterThan(flow, exit("a"), { left: 100 });
    // Asked from the end on, and once more: what one question has walked, the next one has not to.
    for (let time = 0; time < 2; time++) {
      expect(moments.toReversed().filter(later)).toEqual(["exit:d", "enter:d", "exit:b", "enter:b"]);
    }
    const circle = flowOf(
      documentOf(states(`  a: {command: x, on_success: b, on_failure: d}\n${step("b", "command: x", "a")}`)),
      new Map(),
    );
    expect(moments.filter(laterThan(circle, enter("a"), { left: 100 }))).toEqual(moments);
  });

  it("costs a step for each way, and no more than an answer needs", () => {
    const steps = { left: 100 };
    const later = laterThan(flow, enter("a"), steps);
    expect([later("exit:a"), steps.left, later("enter:d"), steps.left]).toEqual([true, 99, true, 96]);
    expect([later("exit:b"), steps.left, later("enter:a"), steps.left]).toEqual([true, 96, false, 95]);
  });

  it("is anything where no step is left, and where ways are missing", () => {
    const later = laterThan(flow, exit("a"), { left: 1 });
    expect([later("enter:b"), later("enter:a")]).toEqual([true, true]);
    expect([0, 5, 6].map((left) => laterThan(flow, enter("a"), { left })("enter:a"))).toEqual([true, true, false]);
    const missing = flowOf(LINE, new Map(), new Set(["a"]));
    expect(laterThan(missing, exit("d"), { left: 100 })("enter:a")).toBe(true);
  });
});

it("what leads to moments is these, and all from which a way leads there", () => {
  const flow = flowOf(
    documentOf(
      states(
        `  a: {command: x, on_success: b, on_failure: c}\n${["b", "c"].map((name) => step(name, "command: x", "d")).join("")}`,
      ),
    ),
    new Map(),
  );
  const bothOf = (...names: string[]): Moment[] => names.flatMap((name) => [enter(name), exit(name)]);
  expect([...leadingTo(flow, [exit("b")])].sort()).toEqual(bothOf("a", "b").sort());
  expect([...leadingTo(flow, [enter("b"), exit("d")])].sort()).toEqual(bothOf("a", "b", "c", "d").sort());
  expect([...leadingTo(flow, [])]).toEqual([]);
});
