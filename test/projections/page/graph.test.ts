/** Covers `graph.ts`: a graph with what a run has made of it. */
import { describe, expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { chartOf } from "../../../projections/chart/chart.ts";
import { chartOfLog, graphOf, type RunGraph } from "../../../projections/page/graph.ts";
import { momentOf } from "../../../projections/page/moment.ts";
import { ended, historyOf, logOf, ROWS, RUN, started, WORKFLOW } from "./story.ts";

const CHART = chartOf(WORKFLOW);
const graphAt = (seq: number | null, { rows = ROWS, run = RUN, isAlive = true } = {}): RunGraph => {
  const history = historyOf(rows);
  return graphOf(CHART, history, run, momentOf(history, { seq, isAlive, now: 99_000 }));
};
const states = ({ nodes }: RunGraph) => Object.fromEntries(nodes.map(({ name, state }) => [name, state]));
const ways = ({ edges }: RunGraph) => edges.flatMap(({ from, to, isTaken }) => (isTaken ? [`${from} → ${to}`] : []));
const IDLE = {
  fan: "idle",
  left: "idle",
  right: "idle",
  call: "idle",
  never: "idle",
  each: "idle",
  body: "idle",
  good: "idle",
  bad: "idle",
};
const BEGUN = (more: object = {}): Row =>
  ({ type: "run.started", run: RUN, payload: { workflow: "w", plan: [], inputs: {}, ...more } }) as Row;
const over = (status: "completed" | "failed" | "cancelled", error?: { code: string; message: string }): Row => ({
  ...{ type: "run.completed", run: RUN },
  payload: { workflow: "w", status, exitCode: 0, ...(error === undefined ? {} : { error }) },
});

describe("states", () => {
  test.each([
    [1, IDLE],
    [4, { ...IDLE, fan: "running", left: "running", right: "running" }],
    [7, { ...IDLE, fan: "running", left: "running", right: "waiting" }],
    [13, { ...IDLE, fan: "completed", left: "completed", right: "completed" }],
    [18, { ...IDLE, fan: "completed", left: "completed", right: "completed", call: "running" }],
    [
      25,
      {
        ...IDLE,
        fan: "completed",
        left: "completed",
        right: "completed",
        call: "failed",
        each: "running",
        body: "running",
      },
    ],
  ])("at row %i", (seq, expected) => {
    expect(states(graphAt(seq))).toEqual(expected);
  });

  test("at the run's end, what it never came to is passed, and the terminal that it ended in is completed", () => {
    expect(states(graphAt(null))).toEqual({
      ...{ fan: "completed", left: "completed", right: "completed", call: "failed", never: "passed" },
      ...{ each: "completed", body: "failed", good: "completed", bad: "passed" },
    });
  });

  test("a run that failed ended in the terminal that says so", () => {
    const rows = logOf([BEGUN(), started("fan", "parallel"), ended("fan", "failed"), over("failed")]);
    expect(states(graphAt(null, { rows }))).toEqual({
      ...Object.fromEntries(Object.keys(IDLE).map((name) => [name, "passed"])),
      ...{ fan: "failed", bad: "failed" },
    });
    expect(ways(graphAt(null, { rows }))).toEqual(["fan → bad"]);
  });

  describe("a run that failed, of whose last step a success leads to a terminal of failure, ended there", () => {
    const edges = CHART.edges.map((edge) =>
      edge.from === "fan" && edge.to === "bad" ? { ...edge, kind: "success" as const } : edge,
    );
    const bad = (error: { code: string; message: string }): string | undefined => {
      const rows = logOf([BEGUN(), started("fan", "parallel"), ended("fan", "failed"), over("failed", error)]);
      const history = historyOf(rows);
      const moment = momentOf(history, { seq: null, isAlive: true, now: 99_000 });
      return states(graphOf({ ...CHART, edges }, history, RUN, moment))["bad"];
    };
    test.each([
      ["only if its fault says so", { code: "EXECUTION.RUN.FAILED", message: 'the workflow ended in "bad"' }, "failed"],
      ["not with the fault of the step", { code: "E", message: "it broke" }, "passed"],
      ["not with that of a workflow it called", { code: "EXECUTION.RUN.FAILED", message: "it broke" }, "passed"],
      ["not where it found no way on", { code: "EXECUTION.RUN.NO_WAY_ON", message: "no way" }, "passed"],
    ])("%s", (_, error, expected) => {
      expect(bad(error)).toBe(expected);
    });
  });

  test("a run without a step, and one that was cancelled, ended in none", () => {
    const cut = ["fan", "each"].map((step) => logOf([BEGUN(), started(step), over("cancelled")]));
    for (const rows of [logOf([BEGUN(), over("completed")]), ...cut])
      expect([states(graphAt(null, { rows }))["good"], states(graphAt(null, { rows }))["bad"]]).toEqual([
        "passed",
        "passed",
      ]);
  });

  test("what was taken over from the run that is done again is so until it runs", () => {
    const rerun = { run: "r0", from: "call", taken: ["fan", "left"] };
    const rows = logOf([BEGUN({ rerun }), started("call", "call_workflow")]);
    expect(states(graphAt(null, { rows }))).toMatchObject({
      fan: "taken",
      left: "taken",
      right: "idle",
      call: "running",
    });
    expect(states(graphAt(null, { rows: logOf([BEGUN({ rerun }), started("fan", "parallel")]) }))["fan"]).toBe(
      "running",
    );
  });

  test("without a process a run is interrupted, and not over", () => {
    const cut = states(graphAt(null, { rows: ROWS.slice(0, 6), isAlive: false }));
    expect([cut["fan"], cut["never"]]).toEqual(["interrupted", "idle"]);
  });
});

describe("nodes", () => {
  const node = (name: string, graph: RunGraph) => {
    const { state, visits, failures, retries, address, calls } = graph.nodes.find((one) => one.name === name)!;
    return { state, visits, failures, retries, address, calls };
  };

  test("count visits, failures and attempts made anew; the address is the last visit's", () => {
    const graph = graphAt(null);
    expect(node("right", graph)).toEqual({
      ...{ state: "completed", visits: 1, failures: 0, retries: 1, address: "fan/right", calls: null },
    });
    expect(node("body", graph)).toEqual({
      ...{ state: "failed", visits: 2, failures: 1, retries: 0, address: "each[2]/body", calls: null },
    });
    expect(node("never", graph)).toMatchObject({ visits: 0, address: null });
    expect([node("good", graph).visits, node("bad", graph).visits]).toEqual([1, 0]);
  });

  test("of several visits the one that waits is shown, else the one at work, else the last", () => {
    const wait: Row = {
      type: "input.required",
      run: RUN,
      step: "each/1.body",
      payload: { input: "i", prompt: "?" },
    } as Row;
    const begun = [
      BEGUN(),
      started("each", "for_each"),
      started("each/0.body"),
      started("each/1.body"),
      started("each/2.body"),
    ];
    const shown = (...more: Row[]) => node("body", graphAt(null, { rows: logOf([...begun, ...more]) })).address;
    expect([
      shown(),
      shown(wait),
      shown(ended("each/0.body"), ended("each/1.body")),
      shown(ended("each/2.body")),
    ]).toEqual([...["each[1]/body", "each[2]/body", "each[3]/body", "each[1]/body"]]);
  });

  test("a call names its run from its row on", () => {
    expect([node("call", graphAt(14)).calls, node("call", graphAt(15)).calls]).toEqual([
      null,
      { run: "r2", workflow: "sub" },
    ]);
  });
});

describe("edges (I2)", () => {
  test("are taken when a step has led on by them", () => {
    expect(ways(graphAt(1))).toEqual([]);
    expect(ways(graphAt(13))).toEqual(["fan → left", "fan → right"]);
    expect(ways(graphAt(14))).toContain("fan → call");
    expect(ways(graphAt(null)).toSorted()).toEqual([
      ...["call → each", "each → body", "each → good", "fan → call", "fan → left", "fan → right"],
    ]);
  });

  test("those of the document stay, with their words", () => {
    const texts = (graph: RunGraph) => graph.edges.map(({ from, to, text }) => [from, to, text]);
    expect(texts(graphAt(1))).toEqual(texts(graphAt(null)));
    expect(texts(graphAt(1)).length).toBeGreaterThan(5);
  });
});

describe("without a document", () => {
  test("the plan names the nodes, the log their order and what stands in them", () => {
    const plan = [
      { name: "fan", title: "Fan", kind: "parallel" },
      { name: "call", title: "Call", kind: "call_workflow" },
      { name: "each", title: "Each", kind: "for_each" },
    ];
    const rows = logOf([BEGUN({ plan }), ...ROWS.slice(1).map(({ seq: _, at: __, ...row }) => row as Row)]);
    const { name, initial, nodes, edges } = chartOfLog(historyOf(rows), RUN);
    expect([name, initial, nodes.map((one) => [one.name, one.kind, one.members])]).toEqual([
      ...["w", "fan"],
      [
        ["fan", "parallel", ["left", "right"]],
        ["call", "call_workflow", []],
        ["each", "for_each", ["body"]],
      ],
    ]);
    expect(edges.map(({ from, to, kind, label }) => [from, to, kind, label])).toEqual([
      ["fan", "call", "success", ""],
      ["call", "each", "success", ""],
      ["body", "body", "success", ""],
    ]);
  });

  test("a run of which nothing is known has no nodes", () => {
    expect(chartOfLog(historyOf(), "none")).toEqual({ name: "", initial: "", nodes: [], edges: [] });
  });
});
