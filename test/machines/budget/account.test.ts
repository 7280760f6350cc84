/** What was spent, counted from rows: `machines/budget/account.ts`, by its invariants. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountOf } from "../../../machines/budget/account.ts";
import { type Held, lowest } from "../../../machines/budget/budget.ts";
import { weighed } from "../../../machines/budget/weighed.ts";
import type { Row } from "../../../machines/exchange.ts";
import { began, ended, of, RUN, run, turn, used } from "./support.ts";

/** Turns of steps in a run and in one that it calls: where, and what was reported, the last of which counts. */
const places = [
  { run: "r", step: "a" },
  { run: "r", step: "fan/b" },
  { run: "r", step: "fan@2/b" },
  { run: "r", step: "call" },
  { run: "c", step: "a" },
] as const;
const anyTurns = fc.array(
  fc.record({ place: fc.constantFrom(...places), reports: fc.array(fc.nat(1_000), { maxLength: 3 }) }),
  { maxLength: 12 },
);
const rowsOf = (all: readonly { place: (typeof places)[number]; reports: readonly number[] }[]): Row[] => [
  run("r"),
  run("c", { run: "r", step: "call" }),
  ...all.flatMap(({ place, reports }) => [
    turn(place.run, place.step),
    ...reports.map((tokens) => used(place.run, place.step, tokens, tokens / 1_000)),
  ]),
];
const lastOf = (reports: readonly number[]): number => reports.at(-1) ?? 0;

describe("the account of a budget", () => {
  test("adds up turns, steps and called runs, each turn by its last report (I2)", () => {
    fc.assert(
      fc.property(anyTurns, (all) => {
        const account = accountOf(of(rowsOf(all)));
        const tokens = all.reduce((sum, { reports }) => sum + lastOf(reports), 0);
        const spent = account.spent(RUN, 0);
        expect(spent).toMatchObject({ tokens, agentTurns: all.length });
        expect(spent.costUsd).toBeCloseTo(tokens / 1_000, 6);
        const parts = ["a", "fan", "call"].map((step) => account.spent({ run: "r", step }, 0).tokens);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(tokens);
      }),
    );
  });

  test("forgets nothing that was committed, wherever the log is cut (I1)", () => {
    fc.assert(
      fc.property(anyTurns, fc.nat(), (all, cut) => {
        const rows = of(rowsOf(all));
        const at = rows.length === 0 ? 0 : cut % (rows.length + 1);
        const before = accountOf(rows.slice(0, at)).spent(RUN, 0);
        const after = accountOf(rows).spent(RUN, 0);
        expect(after.agentTurns).toBeGreaterThanOrEqual(before.agentTurns);
        const again = accountOf(rows.slice(0, at));
        for (const row of rows.slice(at)) again.see(row);
        expect(again.spent(RUN, 0)).toEqual(after);
      }),
    );
  });

  test("neither turns nor time pass while a provider lets nobody in (I4)", () => {
    const held: Row = { type: "budget.noted", run: "r", step: "a", payload: { is: "held" } };
    const begun = [run("r"), began("r", "a"), turn("r", "a")];
    const waits = accountOf(of([...begun, held]));
    expect(waits.spent(RUN, 60_000)).toMatchObject({ agentTurns: 0, timeMs: 2_000 });
    const again = accountOf(of([...begun, held, turn("r", "a"), used("r", "a", 5), ended("r", "a")]));
    expect(again.spent(RUN, 60_000)).toMatchObject({ agentTurns: 1, tokens: 5, timeMs: 4_000 });
    // A turn that was reported on before its provider turned it away is one.
    const reported = accountOf(of([...begun, used("r", "a", 5), held]));
    expect(reported.spent(RUN, 60_000)).toMatchObject({ agentTurns: 1, tokens: 5 });
  });

  test("another visit of a step, and a step whose name begins the same, are not below it", () => {
    const rows = [run("r"), ...["a", "a#2", "ab", "a/0.b"].flatMap((step) => [turn("r", step), used("r", step, 1)])];
    expect(accountOf(of(rows)).spent({ run: "r", step: "a" }, 0)).toMatchObject({ tokens: 2, agentTurns: 2 });
  });

  test("names what has no price, and counts a turn without a report by its text (I3)", () => {
    const said: Row = {
      type: "message.assistant",
      run: "r",
      step: "a",
      payload: { block: "b", offset: 0, text: "12345678" },
    };
    const account = accountOf(of([run("r"), turn("r", "a"), used("r", "a", 5), turn("r", "a"), said]));
    expect(account.unpriced(RUN)).toEqual(["m (p)"]);
    expect(account.spent(RUN, 0)).toMatchObject({ tokens: 7, costUsd: 0 });
  });

  test("time passes once for steps side by side, and not while a person is asked or the process is gone (I4)", () => {
    const asked: Row = {
      type: "permission.requested",
      run: "r",
      step: "a",
      payload: { permission: "p", title: "", kind: "other", message: "", options: [] },
    };
    const decided: Row = {
      type: "permission.resolved",
      run: "r",
      step: "a",
      payload: { permission: "p", outcome: "selected" },
    };
    const lost: Row = {
      type: "turn.completed",
      payload: { turn: "t", stopReason: "cancelled", error: { code: "SYSTEM.PROCESS.LOST", message: "" } },
    };
    const resumed: Row = { type: "turn.started", payload: { turn: "u" } };
    const time = (rows: readonly Row[], now: number): number => accountOf(of(rows)).spent(RUN, now).timeMs;
    expect(time([run("r"), began("r", "a"), began("r", "b"), ended("r", "a"), ended("r", "b")], 99_000)).toBe(3_000);
    expect(time([run("r"), began("r", "a"), asked, decided, ended("r", "a")], 99_000)).toBe(2_000);
    // The last row before the loss was at 2 s; it is resumed at 4 s and works until now.
    expect(time([run("r"), began("r", "a"), turn("r", "a"), lost, resumed], 10_000)).toBe(7_000);
  });
});

describe("what is weighed", () => {
  const held = (over: Partial<Held>): Held => ({
    of: "workflow",
    name: "w",
    run: "r",
    step: null,
    limits: {},
    ...over,
  });
  const account = accountOf(of([run("r"), turn("r", "a"), used("r", "a", 80, 0.8)]));

  test.each([
    ["below", { tokens: 101 }, null, 0],
    ["near", { tokens: 100 }, null, 1],
    ["at", { tokens: 80 }, "tokens", 0],
    ["turns", { agentTurns: 1 }, "agentTurns", 0],
    ["cost", { costUsd: 0.5 }, "costUsd", 0],
  ] as const)("%s a limit", (_, limits, reached, near) => {
    const answer = weighed([held({ limits })], account, 0, 0.8);
    expect([answer.reached?.limit ?? null, answer.near.length]).toEqual([reached, near]);
  });

  test("a limit that was raised, and a cost without a price that was let go on, hold no longer", () => {
    const raised = (limit: "tokens" | "unpriced", to: number): Row => ({
      type: "budget.noted",
      run: "r",
      step: "a",
      payload: { is: "raised", budget: "workflow r", limit, to },
    });
    const rows = [run("r"), turn("r", "a"), used("r", "a", 80)];
    const both = held({ limits: { tokens: 80, costUsd: 1 } });
    const limitOf = (all: Row[]) => weighed([both], accountOf(of(all)), 0, 1).reached?.limit ?? null;
    expect(limitOf(rows)).toBe("unpriced");
    expect(limitOf([...rows, raised("unpriced", 0)])).toBe("tokens");
    expect(limitOf([...rows, raised("unpriced", 0), raised("tokens", 160)])).toBe(null);
  });

  test("the lowest of two limits holds, whoever gave it", () => {
    const limit = fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined });
    fc.assert(
      fc.property(limit, limit, (mine, theirs) => {
        const budgetOf = (tokens: number | undefined) => ({ limits: tokens === undefined ? {} : { tokens } });
        const both = lowest(budgetOf(mine), budgetOf(theirs))?.limits.tokens ?? Number.POSITIVE_INFINITY;
        expect(both).toBe(Math.min(mine ?? Number.POSITIVE_INFINITY, theirs ?? Number.POSITIVE_INFINITY));
        const list = [held({ of: "user", ...budgetOf(mine) }), held(budgetOf(theirs))];
        expect(weighed(list, account, 0, 1).reached !== null).toBe(both <= 80);
      }),
    );
  });
});
