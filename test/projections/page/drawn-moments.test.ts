/** The graph and the timeline of a run at a row. */
import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { chartOf } from "../../../projections/chart/chart.ts";
import { chartOfLog, graphOf } from "../../../projections/page/graph.ts";
import { lanesOf, roundsOf } from "../../../projections/page/lanes.ts";
import { at, NONE } from "./moment.ts";
import { historyOf, logOf, ROWS, RUN, started, WORKFLOW } from "./story.ts";

describe("the graph", () => {
  const history = historyOf();
  const chart = chartOf(WORKFLOW);
  const taken = (seq: number | null) =>
    graphOf(chart, history, RUN, at(history, seq, false)).edges.flatMap(({ from, to, kind, isTaken }) =>
      isTaken ? [`${from} ${kind} ${to}`] : [],
    );

  test("marks the edges that were taken, and says what was passed by", () => {
    expect(taken(13)).toEqual(["fan enter left", "fan enter right"]);
    expect(taken(22)).toEqual(["fan enter left", "fan enter right", "fan success call", "call failure each"]);
    expect(taken(null)).toEqual([
      ...taken(22).slice(0, 3),
      "call failure each",
      "each enter body",
      "each complete good",
    ]);
    const { nodes } = graphOf(chart, history, RUN, at(history, null, false));
    expect(Object.fromEntries(nodes.map(({ name, state }) => [name, state]))).toEqual({
      ...{ fan: "completed", left: "completed", right: "completed", call: "failed", each: "completed", body: "failed" },
      ...{ never: "passed", good: "completed", bad: "passed" },
    });
    expect(nodes.find(({ name }) => name === "body")).toMatchObject({
      visits: 2,
      failures: 1,
      address: "each[2]/body",
    });
    expect(nodes.find(({ name }) => name === "right")).toMatchObject({ retries: 1 });
    expect(nodes.find(({ name }) => name === "call")?.calls).toEqual({ run: "r2", workflow: "sub" });
  });

  test("I1: nodes and edges stay, whatever has happened", () => {
    const shape = (seq: number) => {
      const { nodes, edges } = graphOf(chart, history, RUN, at(history, seq));
      return [nodes.map(({ name }) => name), edges.map(({ from, to, kind }) => [from, to, kind])];
    };
    for (let seq = 1; seq <= ROWS.length; seq++) expect(shape(seq)).toEqual(shape(1));
  });

  test("without a document shows what the log has shown", () => {
    const named = historyOf([
      {
        ...ROWS[0],
        payload: {
          workflow: "w",
          inputs: {},
          plan: ["fan", "left", "call", "each", "body"].map((name) => ({ name, title: name, kind: "command" })),
        },
      } as Exchange,
      ...ROWS.slice(1),
    ]);
    const { nodes, edges } = chartOfLog(named, RUN);
    expect(nodes.map(({ name, members }) => [name, members])).toEqual([
      ...[
        ["fan", ["left", "right"]],
        ["left", []],
        ["call", []],
        ["each", ["body"]],
        ["body", []],
      ],
    ]);
    expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual(["fan call", "call each", "body body"]);
  });
});

describe("the timeline", () => {
  const history = historyOf();
  test("has a lane for every step, cells for rounds, and waits of their own", () => {
    const lanes = lanesOf(history, at(history, null, false), NONE);
    expect(lanes.map(({ address, depth, round }) => [address, depth, round])).toEqual([
      ...[
        ["fan", 0, null],
        ["fan/left", 1, null],
        ["fan/right", 1, null],
        ["call", 0, null],
        ["call/inner", 1, null],
      ],
      ...[
        ["each", 0, null],
        ["each[1]/body", 1, 1],
        ["each[2]/body", 1, 2],
      ],
    ]);
    expect(lanes.find(({ address }) => address === "fan/right")).toMatchObject({
      waits: [{ from: 7_000, to: 9_000 }],
      tries: [11_000],
    });
    expect(lanes.find(({ address }) => address === "each")?.rounds.map(({ round, state }) => [round, state])).toEqual([
      ...[
        [1, "completed"],
        [2, "failed"],
      ],
    ]);
  });

  test("I1: of many rounds the ones that failed, the open ones and those at work have lanes", () => {
    const rounds = Array.from({ length: 200 }, (_, round) => {
      const step = `each/${round}.body`;
      return [
        started(step),
        {
          type: "step.completed",
          run: RUN,
          step,
          payload: { name: "body", kind: "command", status: round === 136 ? "failed" : "completed", exitCode: 0 },
        },
      ] as const;
    }).flat();
    const long = historyOf(logOf([ROWS[0] as Exchange, started("each", "for_each"), ...(rounds as never[])]));
    const loop = long.at("each") as never;
    expect(roundsOf(loop, at(long)).filter(({ state }) => state === "failed")).toEqual([
      { round: 137, item: null, state: "failed", address: "each[137]/body" },
    ]);
    const shown = (open: string[]) =>
      lanesOf(long, at(long), { open: new Set(open), closed: new Set() }).map(({ address }) => address);
    expect(shown([])).toEqual(["each", "each[137]/body"]);
    expect(shown(["each[3]"])).toEqual(["each", "each[3]/body", "each[137]/body"]);
    expect(lanesOf(long, at(long), { open: new Set(), closed: new Set(["each"]) }).map(({ fold }) => fold)).toEqual([
      "closed",
    ]);
  });
});
