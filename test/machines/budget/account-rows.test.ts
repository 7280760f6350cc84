/** What was spent, row by row: `machines/budget/account.ts`. */
import { describe, expect, test } from "vitest";
import { accountOf } from "../../../machines/budget/account.ts";
import type { Held } from "../../../machines/budget/budget.ts";
import type { Exchange, Row } from "../../../machines/exchange.ts";
import { began, ended, of, RUN, run, turn, used } from "./support.ts";

describe("the time of a budget (I4)", () => {
  const noted = (payload: object, step = "a") => ({ type: "budget.noted", run: "r", step, payload }) as Row;
  const row = (type: Row["type"], payload: object = {}) => ({ type, run: "r", step: "a", payload }) as Row;
  const question = (type: Row["type"], permission: string) => row(type, { permission });
  const [asked, decided] = [question("permission.requested", "p"), question("permission.resolved", "p")];
  const [input, answer] = [row("input.required", { input: "i" }), row("input.answered", { input: "i" })];
  const [other, otherDecided] = [question("permission.requested", "q"), question("permission.resolved", "q")];
  const resumed = { type: "turn.started", payload: { turn: "u" } } as Row;
  /** Rows come each second, the first of them at 0. */
  const time = (rows: readonly Row[], now = 99_000): number => accountOf(of(rows)).spent(RUN, now).timeMs;

  test.each<[string, Row[], number]>([
    ["a step that ends", [began("r", "a"), ended("r", "a")], 1_000],
    ["a step that has ended, whatever comes later", [began("r", "a"), ended("r", "a"), decided, resumed], 1_000],
    ["a question that is answered", [began("r", "a"), input, answer, ended("r", "a")], 2_000],
    [
      "a question that is put anew, to another viewer or after a crash",
      [began("r", "a"), asked, asked, decided],
      97_000,
    ],
    ["two questions that are answered", [began("r", "a"), asked, other, decided, otherDecided, ended("r", "a")], 2_000],
    ["two questions, of which one waits", [began("r", "a"), asked, input, decided, ended("r", "a")], 1_000],
    ["an answer that nobody asked for", [began("r", "a"), decided, asked, decided, ended("r", "a")], 3_000],
    ["a resume while a person is asked", [began("r", "a"), asked, resumed, ended("r", "a")], 1_000],
    ["a step that its budget has stopped", [began("r", "a"), noted({ is: "stopped" }), ended("r", "a")], 1_000],
    [
      "a resume of a session whose step was stopped",
      [began("r", "a"), noted({ is: "stopped" }), resumed, ended("r", "a")],
      1_000,
    ],
    [
      "the next turn of a stopped step",
      [began("r", "a"), noted({ is: "stopped" }), turn("r", "a"), ended("r", "a")],
      2_000,
    ],
    [
      "its resume behind that",
      [began("r", "a"), noted({ is: "stopped" }), turn("r", "a"), resumed, ended("r", "a")],
      3_000,
    ],
    ["rows of a step that never began", [asked, decided, noted({ is: "stopped" }), turn("r", "a"), ended("r", "a")], 0],
    ["a turn that ends while another step works", [began("r", "a"), row("turn.completed"), ended("r", "a")], 1_000],
  ])("%s", (_, rows, ms) => {
    expect(time(rows)).toBe(ms);
  });

  test("what works elsewhere takes no time of a part", () => {
    const account = accountOf(of([run("r"), began("r", "a"), ended("r", "a"), began("q", "a")]));
    const parts = [
      { run: "r", step: "a" },
      { run: "r", step: "b" },
      { run: "q", step: null },
      { run: "x", step: null },
    ];
    expect(parts.map((part) => account.spent(part, 9_000).timeMs)).toEqual([1_000, 0, 6_000, 0]);
  });

  test("a container works in its steps alone", () => {
    const kinds = (["command", "agent", "operation", "parallel"] as const).map((kind): number => {
      const step = {
        type: "step.started",
        run: "r",
        step: "a",
        payload: { name: "a", kind, title: "", parallel: false },
      };
      return time([step as Row], 5_000);
    });
    expect(kinds).toEqual([5_000, 5_000, 5_000, 0]);
  });

  test("a clock that was set back takes no time away, and steps that overlap count once", () => {
    const [one, two, end] = of([began("r", "a"), began("r", "b"), ended("r", "a")]) as [Exchange, Exchange, Exchange];
    const at = (row: Exchange, when: number): Exchange => ({ ...row, at: when });
    expect(accountOf([at(one, 5_000), at(end, 4_000)]).spent(RUN, 0).timeMs).toBe(0);
    expect(accountOf([at(one, 5_000)]).spent(RUN, 4_000).timeMs).toBe(0);
    const inside = at({ ...end, step: "b" } as Exchange, 3_000);
    expect(accountOf([at(one, 1_000), at(two, 2_000), inside, at(end, 9_000)]).spent(RUN, 0).timeMs).toBe(8_000);
  });

  test("what is noted of a budget is known of that budget and limit alone", () => {
    const held = { of: "workflow", name: "w", run: "r", step: null, limits: {} } as Held;
    const other = { ...held, run: "q" };
    const notes = [30, 10].map((to) => noted({ is: "raised", budget: "workflow r", limit: "tokens", to }));
    const account = accountOf(of([...notes, noted({ is: "warned", budget: "workflow r", limit: "costUsd" })]));
    expect([account.raised(held, "tokens"), account.raised(held, "costUsd"), account.raised(other, "tokens")]).toEqual([
      30,
      undefined,
      undefined,
    ]);
    expect([
      account.isWarned(held, "costUsd"),
      account.isWarned(held, "tokens"),
      account.isWarned(other, "costUsd"),
    ]).toEqual([true, false, false]);
    const begun = accountOf(of([noted({ is: "turn", turn: "known" })]));
    expect([begun.has("known"), begun.has("other")]).toEqual([true, false]);
  });
});

describe("what a turn has used", () => {
  const usage = (payload: object) => ({ type: "usage.recorded", run: "r", step: "a", payload }) as Row;
  const spoken = (type: string, text: string) =>
    ({ type, run: "r", step: "a", payload: { block: "b", offset: 0, text } }) as Row;
  const account = (...rows: Row[]) => {
    const all = accountOf(of([run("r"), ...rows]));
    return { ...all.spent(RUN, 0), unpriced: all.unpriced(RUN) };
  };

  test.each<[string, object, object]>([
    [
      "tokens in and out",
      { inputTokens: 2, outputTokens: 3 },
      { tokens: 5, costUsd: 0, unpriced: ["an agent that tells no cost"] },
    ],
    ["a total of its own", { inputTokens: 2, totalTokens: 9 }, { tokens: 9 }],
    ["a cost", { totalTokens: 1, cost: { amount: 0.25, currency: "USD" } }, { costUsd: 0.25, unpriced: [] }],
    [
      "another currency",
      { totalTokens: 1, cost: { amount: 2, currency: "EUR" } },
      { costUsd: 0, unpriced: ["what is charged in EUR"] },
    ],
    ["nothing, without a cost", {}, { tokens: 0, unpriced: [] }],
  ])("%s", (_, payload, spent) => {
    expect(account(usage(payload))).toMatchObject({ agentTurns: 1, ...spent });
  });

  test("text counts a token for each four letters, what an agent thought too; a report takes its place", () => {
    const said = [spoken("message.assistant", "12345"), spoken("message.thought", "1234")];
    expect(account(...said)).toMatchObject({ agentTurns: 1, tokens: 3 });
    expect(account(...said, usage({ totalTokens: 1 }))).toMatchObject({ agentTurns: 1, tokens: 1 });
    const full = usage({ used: 10, size: 100 });
    expect(account(...said, full)).toMatchObject({ tokens: 3, unpriced: ["an agent that tells no cost"] });
    const cost = { amount: 0.25, currency: "USD" };
    expect(account(usage({ used: 10, size: 100, cost }), ...said)).toMatchObject({ tokens: 3, costUsd: 0.25 });
  });

  test("a turn that has said something began, though its provider turned it away", () => {
    const held = { type: "budget.noted", run: "r", step: "a", payload: { is: "held" } } as Row;
    expect(account(turn("r", "a"), held, held)).toMatchObject({ agentTurns: 0 });
    expect(account(turn("r", "a"), spoken("message.thought", "1"), held)).toMatchObject({ agentTurns: 1 });
    expect(account(turn("r", "b"), turn("r", "a"), held, usage({ totalTokens: 1 }))).toMatchObject({
      agentTurns: 2,
      tokens: 1,
    });
  });

  test("each name without a price is told once, and of its own part alone", () => {
    const rows = of([run("r"), used("r", "a", 1), turn("r", "a"), used("r", "a", 1), run("q"), used("q", "a", 1, 1)]);
    expect(accountOf(rows).unpriced(RUN)).toEqual(["m (p)"]);
    expect(accountOf(rows).unpriced({ run: "r", step: "b" })).toEqual([]);
    expect(accountOf(rows).spent({ run: "none", step: null }, 0)).toEqual({
      costUsd: 0,
      tokens: 0,
      agentTurns: 0,
      timeMs: 0,
    });
  });
});
