import { expect, test } from "vitest";
import { figuresOf, percentile, type RunLine, runGroups, waitOf } from "../../../projections/page/overview.ts";
import type { StepTree } from "../../../projections/runs/tree.ts";

const run = (id: string, more: Partial<RunLine> = {}): RunLine => ({
  ...{
    id,
    workflow: "demo",
    cwd: "/w",
    status: "completed",
    startedAt: 0,
    endedAt: 10,
    permissions: [],
    questions: [],
  },
  ...more,
});
const titled = (runs: readonly RunLine[], search = "", state = "") =>
  runGroups(runs, { search, state }).map(({ title, runs: found }) => [title, ...found.map(({ id }) => id)]);

test("what waits for a person is first, then what runs, what was cut off, what has ended; each newest first", () => {
  const statuses = ["completed", "failed", "interrupted", "running", "parked", "waiting"];
  const runs = statuses.map((status, startedAt) => run(status, { status, startedAt }));
  expect(titled(runs)).toEqual([
    ["Waits for you", "waiting", "parked"],
    ["Runs now", "running"],
    ["Cut off", "interrupted"],
    ["Ended", "failed", "completed"],
  ]);
  expect(titled(runs, "", "parked")).toEqual([["Waits for you", "parked"]]);
  expect(titled([])).toEqual([]);
});

test("a search finds runs in which all of its words are met, wherever they stand", () => {
  const asks = { status: "waiting", permissions: [{ title: "Delete Build" }] };
  const runs = [run("r1", asks), run("r2", { cwd: "/home/Tools" })];
  const found = ["delete build", " BUILD \t delete ", "tools", "r1 r2", "demo", "waiting", "/w d", "undefined"];
  expect(found.map((words) => titled(runs, words).flatMap(([, ...ids]) => ids))).toEqual([
    ["r1"],
    ["r1"],
    ["r2"],
    [],
    ["r1", "r2"],
    ["r1"],
    ["r1"],
    [],
  ]);
});

test("what a run asks of a person is its permission, else its question's words, else what was said before", () => {
  const [permissions, question] = [[{ title: "p" }], { prompt: "q", said: "s" }];
  expect(waitOf(run("r", { permissions, questions: [question] }))).toBe("p");
  expect(waitOf(run("r", { questions: [question] }))).toBe("q");
  expect(waitOf(run("r", { questions: [{ ...question, prompt: "" }] }))).toBe("s");
  expect(waitOf(run("r", { questions: [{ prompt: "", said: "" }] }))).toBe("the next words");
  expect(waitOf(run("r"))).toBeNull();
});

test("figures are of runs that completed or failed, and of the steps of those whose trees are known", () => {
  const step = (name: string, startedAt: number, endedAt: number | null, more: object = {}): StepTree =>
    ({
      name,
      kind: "command",
      state: "completed",
      startedAt,
      endedAt,
      calls: null,
      steps: [],
      ...more,
    }) as unknown as StepTree;
  const inner = step("inner", 0, 4);
  const trees = [
    [step("a", 5, 15), step("each", 0, 9, { kind: "for_each", steps: [inner, inner] })],
    [step("a", 0, 30, { state: "failed" }), step("call", 0, null, { calls: "w", steps: [inner] })],
  ];
  const runs = [
    run("1"),
    run("2", { status: "failed", startedAt: 5, endedAt: 35 }),
    run("3", { status: "running", endedAt: null }),
  ];
  expect(figuresOf(runs, trees)).toEqual({
    ...{ runs: 2, undone: 0, failed: 1, p50: 10, p95: 30 },
    steps: [
      { name: "a", kind: "command", runs: 2, failed: 1, p50: 10, p95: 30 },
      { name: "each", kind: "for_each", runs: 1, failed: 0, p50: 9, p95: 9 },
      { name: "inner", kind: "command", runs: 2, failed: 0, p50: 4, p95: 4 },
      { name: "call", kind: "command", runs: 1, failed: 0, p50: null, p95: null },
    ],
  });
});

test("what was cancelled or skipped counts neither as a failure nor in what a workflow takes", () => {
  const runs = [
    run("1"),
    run("2", { status: "failed" }),
    run("3", { status: "cancelled", endedAt: 9_000 }),
    run("4", { status: "skipped" }),
  ];
  const ended = (state: string, endedAt: number) =>
    ({ name: "a", kind: "command", state, startedAt: 0, endedAt, calls: null, steps: [] }) as unknown as StepTree;
  const trees = [[ended("completed", 5)], [ended("cancelled", 9_000)], [ended("skipped", 0)]];
  expect(figuresOf(runs, trees)).toEqual({
    ...{ runs: 2, undone: 2, failed: 1, p50: 10, p95: 10 },
    steps: [{ name: "a", kind: "command", runs: 1, failed: 0, p50: 5, p95: 5 }],
  });
});

test("a percentile is a value that was measured: the nearest rank", () => {
  const values = [10, 2, 1, 3, 4, 5, 6, 7, 8, 9];
  expect([0, 0.05, 0.5, 0.51, 0.95, 1].map((share) => percentile(values, share))).toEqual([1, 1, 5, 6, 10, 10]);
  expect(percentile([], 0.5)).toBeNull();
});
