/** Covers `history.ts`: what is held of a run. */
import { describe, expect, test } from "vitest";
import type { Exchange, Live, Row } from "../../../machines/exchange.ts";
import { RunHistory } from "../../../projections/page/history.ts";
import { ended, historyOf, logOf, ROWS, RUN, said, started } from "./story.ts";

const BEGUN: Row = { type: "run.started", run: RUN, payload: { workflow: "w", plan: [], inputs: {} } };
const row = (step: string, type: string, payload: object): Row => ({ type, run: RUN, step, payload }) as Row;
const live = (step: string, text: string, offset: number): Live => ({ ...said(step, text, offset), after: 0 }) as Live;
const seen = (...rows: Row[]): RunHistory => historyOf(logOf([BEGUN, ...rows]));
const liveOf = (history: RunHistory, step: string): string[] =>
  [...(history.at(step)?.live.values() ?? [])].map(({ text }) => text);

describe("rows and their times", () => {
  test("before there is any, the head is one below the first", () => {
    const history = new RunHistory(RUN);
    expect([history.first, history.head, history.timeAt(5)]).toEqual([1, 0, 0]);
  });

  test("of a log that begins later, the first row is the first; a missing row has the time of the next", () => {
    const [one, , three, four] = logOf([BEGUN, BEGUN, started("a"), ended("a")]) as [
      Exchange,
      Exchange,
      Exchange,
      Exchange,
    ];
    const history = historyOf([
      { ...one, seq: 7 },
      { ...three, seq: 9 },
      { ...four, seq: 10 },
    ]);
    expect([history.first, history.head]).toEqual([7, 10]);
    expect([6, 7, 8, 9, 10, 99].map((seq) => history.timeAt(seq))).toEqual([0, 1_000, 3_000, 3_000, 4_000, 4_000]);
  });

  test("what comes again, and what comes behind the run's end, is passed over (I2)", () => {
    const history = historyOf();
    history.see({ ...(ROWS[2] as Exchange), seq: 3 });
    history.see({ ...(logOf([started("late")])[0] as Exchange), seq: 29 });
    expect([history.head, history.at("late"), history.at("fan/left")?.rows.length]).toEqual([28, undefined, 5]);
  });

  test("each step has its own rows, and no other's", () => {
    const history = historyOf();
    expect(history.steps.map(({ address, rows }) => [address, rows.map(({ seq }) => seq)])).toEqual([
      ["fan", [2, 13]],
      ["fan/left", [3, 5, 6, 8, 10]],
      ["fan/right", [4, 7, 9, 11, 12]],
      ["call", [14, 15, 20]],
      ["call/inner", [17, 18]],
      ["each", [22, 27]],
      ["each[1]/body", [23, 24]],
      ["each[2]/body", [25, 26]],
    ]);
    expect(history.steps.map(({ filled }) => filled)).toEqual(Array(8).fill("whole"));
    expect(history.roots.map(({ address }) => address)).toEqual(["fan", "call", "each"]);
    expect([...history.begun.keys(), ...history.ended.keys()]).toEqual([RUN, "r2", "r2", RUN]);
  });
});

describe("calls (I1)", () => {
  const call = (step: string, childRun?: string): Row =>
    ({
      ...row(step, "step.call_workflow.started", { name: step, workflow: "sub" }),
      ...(childRun ? { childRun } : {}),
    }) as Row;
  const child = (parentStep?: string): Row =>
    ({ ...BEGUN, run: "r2", parentRun: RUN, ...(parentStep ? { parentStep } : {}) }) as Row;

  test("are known by what the caller says, or by what the called run says", () => {
    for (const said of [[call("c", "r2")], [child("c")], [call("c", "r2"), child("c")]]) {
      const history = seen(started("c", "call_workflow"), ...said, started("x", "command", "r2"));
      expect(history.callerOf("r2")).toBe(history.at("c"));
      expect(history.at("c")?.calls).toMatchObject({ seq: 3, run: "r2" });
      expect(history.at("c")?.steps).toEqual([history.at("c/x")]);
    }
  });

  test("of nobody are not of this run", () => {
    for (const said of [[call("c")], [child()], [child("other")]]) {
      const history = seen(started("c", "call_workflow"), ...said, started("x", "command", "r2"));
      expect([history.steps.length, history.callerOf("r2"), history.begun.has("r2")]).toEqual([1, undefined, false]);
    }
    expect(seen(call("none", "r2")).callerOf("r2")).toBeUndefined();
  });
});

describe("waits", () => {
  const asked = row("s", "input.required", { input: "i", prompt: "?" });
  const consent = row("s", "permission.requested", { permission: "p", title: "?" });
  const untils = (...rows: Row[]) =>
    seen(started("s"), ...rows)
      .at("s")
      ?.waits.map(({ id, type, until }) => [id, type, until?.seq ?? null]);

  test("last until their own answer, the first one", () => {
    const [answer, decision] = [
      row("s", "input.answered", { input: "i" }),
      row("s", "permission.resolved", { permission: "p" }),
    ];
    expect(untils(asked, consent)).toEqual([
      ["i", "input", null],
      ["p", "permission", null],
    ]);
    expect(untils(asked, consent, decision, answer, decision)).toEqual([
      ["i", "input", 6],
      ["p", "permission", 5],
    ]);
    expect(untils(asked, row("s", "input.answered", { input: "j" }))).toEqual([["i", "input", null]]);
  });

  test("end with their step at the latest", () => {
    const answer = row("s", "input.answered", { input: "i" });
    expect(untils(asked, answer, consent, ended("s"))).toEqual([
      ["i", "input", 4],
      ["p", "permission", 6],
    ]);
  });
});

test("a step that begins again stands where it was first", () => {
  const history = seen(started("s"), started("t"), started("s"));
  expect(history.steps.map(({ address, seq }) => [address, seq])).toEqual([
    ["s", 2],
    ["t", 3],
  ]);
});

describe("words that are not committed yet (I3)", () => {
  test("are held once, and no more when their row has come", () => {
    const history = seen(started("s", "agent"));
    history.see(live("s", "one ", 0));
    history.see(live("s", "one ", 0)); // again
    history.see(live("s", "e two", 2)); // partly again
    history.see(live("s", "gap", 99));
    expect(liveOf(history, "s")).toEqual(["one two"]);
    const [first, second] = logOf([BEGUN, started("s"), said("s", "one "), said("s", "two", 4)]).slice(2) as [
      Exchange,
      Exchange,
    ];
    history.see(first);
    expect(liveOf(history, "s")).toEqual(["two"]);
    history.see(second);
    expect(liveOf(history, "s")).toEqual([]);
    history.see(live("s", "two three", 4));
    expect(liveOf(history, "s")).toEqual([" three"]);
  });

  test("of no step, or of one that has ended, are none", () => {
    const history = seen(started("s", "agent"));
    history.see(live("other", "x", 0));
    history.see(live("s", "x", 0));
    history.see(logOf([BEGUN, started("s"), ended("s")])[2] as Exchange);
    expect(liveOf(history, "s")).toEqual([]);
    history.see(live("s", "x", 0));
    expect(liveOf(history, "s")).toEqual([]);
  });
});

describe("an outline (I4)", () => {
  const rows = ROWS.filter(({ type }) => type !== "message.assistant").slice(0, 4);
  const outlined = (): RunHistory => {
    const history = new RunHistory(RUN);
    history.outline({ firstSeq: 1, startedAt: 1_000, times: [0, 1_000, 2_000, 3_000, 4_000, 5_000], rows });
    return history;
  };

  test("says the times of all rows, and has a part of those of its steps", () => {
    const history = outlined();
    expect([history.first, history.head, history.timeAt(6)]).toEqual([1, 6, 6_000]);
    expect(history.steps.map(({ address, filled }) => [address, filled])).toEqual([
      ["fan", "whole"],
      ["fan/left", "part"],
      ["fan/right", "part"],
    ]);
  });

  test("goes on row by row; what came before is filled in, each row once and in order", () => {
    const history = outlined();
    history.see(ROWS[6] as Exchange);
    history.see({ ...(logOf([started("late", "agent")])[0] as Exchange), seq: 8 });
    expect(history.at("late")?.filled).toBe("whole");
    const left = history.at("fan/left")!;
    history.fill(left, [ROWS[5], ROWS[4], ROWS[2]] as Exchange[]);
    expect([left.filled, left.rows.map(({ seq }) => seq)]).toEqual(["whole", [3, 5, 6]]);
  });

  test("words go on where they are heard first: what came before is in rows that are filled in", () => {
    const history = outlined();
    history.see(live("fan/left", "two", 4));
    expect(liveOf(history, "fan/left")).toEqual(["two"]);
    history.see(live("fan/left", " three", 7));
    expect(liveOf(history, "fan/left")).toEqual(["two three"]);
    history.fill(history.at("fan/left")!, [ROWS[4], ROWS[5]] as Exchange[]);
    expect(liveOf(history, "fan/left")).toEqual([" three"]);
  });
});

test("a question that is asked anew is one question, from when it was asked first", () => {
  const asked = row("a", "permission.requested", { permission: "p", title: "May it?", options: [] });
  const history = seen(started("a"), asked, asked, row("a", "permission.resolved", { permission: "p" }));
  const waits = history.at("a")?.waits.map(({ id, seq, until }) => [id, seq, until?.seq]);
  expect(waits).toEqual([["p", 3, 5]]);
});
