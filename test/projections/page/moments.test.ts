/** A run as it was at a row, by its whole history, by an outline, and by live text. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CONTENT, type Exchange, type Live, type Row } from "../../../machines/exchange.ts";
import { chartOf } from "../../../projections/chart/chart.ts";
import { detailOf } from "../../../projections/page/detail.ts";
import { graphOf } from "../../../projections/page/graph.ts";
import { RunHistory, type StepHistory } from "../../../projections/page/history.ts";
import { lanesOf } from "../../../projections/page/lanes.ts";
import { type RunMoment, runAt, stepAt, usageAt } from "../../../projections/page/moment.ts";
import { at, NONE, NOW } from "./moment.ts";
import { ended, historyOf, logOf, ROWS, RUN, said, started, WORKFLOW } from "./story.ts";

const statesAt = (history: RunHistory, moment: RunMoment) =>
  Object.fromEntries(
    history.steps.flatMap((step) => (stepAt(step, moment) ? [[step.address, stepAt(step, moment)?.state]] : [])),
  );

describe("a run as it was at a row", () => {
  const history = historyOf();
  test.each([
    [1, {}],
    [6, { fan: "running", "fan/left": "running", "fan/right": "running" }],
    [7, { fan: "running", "fan/left": "running", "fan/right": "waiting" }],
    [10, { fan: "running", "fan/left": "completed", "fan/right": "running" }],
    [
      17,
      { fan: "completed", "fan/left": "completed", "fan/right": "completed", call: "running", "call/inner": "running" },
    ],
  ])("row %i", (seq, states) => {
    expect(statesAt(history, at(history, seq))).toEqual(states);
  });

  test("its time is that of its last row; at the end of a running run it is now", () => {
    expect([at(history, 7).at, at(history, null, false).at]).toEqual([7_000, 28_000]);
    expect(at(historyOf(ROWS.slice(0, 7))).at).toBe(NOW);
    expect(stepAt(history.at("fan/left") as never, at(history, 6))).toMatchObject({ startedAt: 3_000, until: 6_000 });
    expect(stepAt(history.at("fan/left") as never, at(history, 12))).toMatchObject({ startedAt: 3_000, until: 10_000 });
  });

  test("a step that a person said no to has no exit", () => {
    const error = { code: "EXECUTION.STEP.DENIED", message: "the step was not approved" };
    const { payload, ...end } = ended("a", "failed");
    const of = (rows: Row[]) => historyOf(logOf([ROWS[0] as Exchange, started("a"), ...rows]));
    const exitOf = (history: RunHistory) => stepAt(history.at("a") as never, at(history))?.exitCode;
    expect(exitOf(of([{ ...end, payload: { ...payload, error } } as Row]))).toBeNull();
    expect(exitOf(of([ended("a", "failed")]))).toBe(7);
  });

  test("a run without a process is cut off at the end, and was at work before", () => {
    const cut = historyOf(ROWS.slice(0, 6));
    expect(runAt(cut, RUN, at(cut, null, false))).toBe("interrupted");
    expect(runAt(cut, RUN, at(cut, 5, false))).toBe("running");
  });

  test("what was asked is not waited for where no process runs (I2)", () => {
    const cut = historyOf(ROWS.slice(0, 7));
    const right = cut.at("fan/right") as never;
    const stateOf = (isAlive: boolean) => [
      runAt(cut, RUN, at(cut, null, isAlive)),
      stepAt(right, at(cut, null, isAlive))?.state,
    ];
    expect([stateOf(true), stateOf(false)]).toEqual([
      ["waiting", "waiting"],
      ["interrupted", "interrupted"],
    ]);
  });

  test("attempts, usage and the ends of called runs count from their rows on", () => {
    const right = history.at("fan/right") as never;
    expect([stepAt(right, at(history, 10))?.attempts, stepAt(right, at(history, 11))?.attempts]).toEqual([1, 2]);
    expect([usageAt(history.steps, at(history, 7)).tokens, usageAt(history.steps, at(history, 8)).tokens]).toEqual([
      0, 15,
    ]);
    expect([
      runAt(history, "r2", at(history, 15)),
      runAt(history, "r2", at(history, 18)),
      runAt(history, "r2", at(history, 19)),
    ]).toEqual([null, "running", "failed"]);
  });

  test("I1: at every row it is what a reader of the rows up to there has", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: ROWS.length }), (seq) => {
        const before = historyOf(ROWS.slice(0, seq));
        const chart = chartOf(WORKFLOW);
        const [then, now] = [at(before), at(history, seq)];
        const moment = { ...then, at: now.at };
        expect(statesAt(history, now)).toEqual(statesAt(before, moment));
        expect(graphOf(chart, history, RUN, now)).toEqual(graphOf(chart, before, RUN, moment));
        expect(lanesOf(history, now, NONE)).toEqual(lanesOf(before, moment, NONE));
        for (const step of before.steps)
          expect(detailOf(history.at(step.address) as never, now)).toEqual(detailOf(step, moment));
      }),
    );
  });

  test("I2: a row that comes again is passed over, and those of others are left out", () => {
    const twice = historyOf([...ROWS, ...ROWS.slice(-3)]);
    const rows = (history: RunHistory): number => history.steps.reduce((sum, step) => sum + step.rows.length, 0);
    expect(rows(twice)).toBe(rows(history));
    expect(twice.head).toBe(history.head);
  });
});

describe("a history that begins with an outline", () => {
  const history = historyOf();
  const isContent = ({ type }: Exchange): boolean => CONTENT.includes(type);
  const outlined = (upTo: number): RunHistory => {
    const outline = new RunHistory(RUN);
    const rows = ROWS.slice(0, upTo);
    const [{ seq: firstSeq, at: startedAt }] = rows as [Exchange];
    const times = rows.map((row) => row.at - startedAt);
    outline.outline({ firstSeq, startedAt, times, rows: rows.filter((row) => !isContent(row)) });
    for (const row of ROWS.slice(upTo)) outline.see(row);
    return outline;
  };

  test("I4: shows the same at every row; what a step did, once it is filled in", () => {
    fc.assert(
      fc.property(fc.nat(ROWS.length - 1), fc.nat(ROWS.length - 1), (upTo, seq) => {
        const outline = outlined(upTo + 1);
        const [then, now] = [at(outline, seq + 1), at(history, seq + 1)];
        expect(then).toEqual(now);
        expect(statesAt(outline, then)).toEqual(statesAt(history, now));
        expect(graphOf(chartOf(WORKFLOW), outline, RUN, then)).toEqual(graphOf(chartOf(WORKFLOW), history, RUN, now));
        expect(lanesOf(outline, then, NONE)).toEqual(lanesOf(history, now, NONE));
        for (const step of history.steps) {
          const its = outline.at(step.address) as StepHistory;
          outline.fill(
            its,
            step.rows.filter((row) => row.seq <= upTo + 1),
          );
          expect(its.filled).toBe("whole");
          expect(detailOf(its, then)).toEqual(detailOf(step, now));
        }
      }),
    );
  });

  test("I3, I4: live text continues where the log stands that is not read yet", () => {
    const rows = logOf([ROWS[0] as Exchange, started("a", "agent"), said("a", "one ")]);
    const outline = new RunHistory(RUN);
    outline.outline({
      ...{ firstSeq: 1, startedAt: 0, times: rows.map((row) => row.at) },
      rows: rows.filter((row) => !isContent(row)),
    });
    const chunk = (text: string, offset: number): Live => ({ ...said("a", text, offset), after: 3 }) as unknown as Live;
    outline.see(chunk("two ", 4));
    const step = outline.at("a") as StepHistory;
    outline.fill(step, rows.slice(1));
    outline.see(chunk("three", 8));
    expect(detailOf(step, at(outline)).map((item) => ("words" in item ? item.words.text : item.type))).toEqual([
      "one two three",
    ]);
  });
});

describe("live text", () => {
  const rows = logOf([ROWS[0] as Exchange, started("a", "agent"), said("a", "one ")]);
  const chunk = (text: string, offset: number): Live => ({ ...said("a", text, offset), after: 3 }) as unknown as Live;
  const shown = (history: RunHistory) =>
    detailOf(history.at("a") as never, at(history)).map((item) => ("words" in item ? item.words.text : item.type));

  test("I3: is shown once, whatever of it is committed when", () => {
    const history = historyOf(rows);
    history.see(chunk("two ", 4));
    expect(shown(history)).toEqual(["one two "]);
    history.see(chunk("o three ", 6));
    expect(shown(history)).toEqual(["one two three "]);
    history.see({ ...said("a", "two th", 4), seq: 4, at: 4_000 } as Exchange);
    expect(shown(history)).toEqual(["one two three "]);
    history.see(chunk("far", 90));
    expect(shown(history)).toEqual(["one two three "]);
  });

  test("is not shown of a row before the end", () => {
    const history = historyOf(rows);
    history.see(chunk("two ", 4));
    history.see({ ...started("b"), seq: 4, at: 4_000 } as Exchange);
    expect(detailOf(history.at("a") as never, at(history, 3))).toMatchObject([{ words: { text: "one " } }]);
  });
});
