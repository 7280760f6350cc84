/** Covers `tree.ts`: the git steps of a step with a tree of its own, and the rows that tell of them. */
import { describe, expect, test } from "vitest";
import { CANCELLED } from "../../../machines/model.ts";
import {
  cancelledWith,
  notMerged,
  treeAfter,
  treeBefore,
  treeFaultRow,
  treeInput,
  treeRows,
} from "../../../machines/step/tree.ts";
import type { StepTree } from "../../../machines/worktree/progress.ts";
import { type Given, ISOLATION, LEFT, MADE, MANY, MERGEABLE, ORIGIN, PLAN, step } from "./trees.ts";

const FAILED = { status: "failed", exitCode: 2 } as const;
const MERGES = { type: "operation", operation: "worktree.merge" };

test("the git steps before the work, one after another; none without a tree of its own", () => {
  expect([
    treeBefore(step({ isolation: null })),
    treeBefore(step()),
    treeBefore(step({ isolation: { of: "a" } })),
    treeBefore(step({ tree: { plan: PLAN } })),
    treeBefore(step({ tree: MADE })),
  ]).toEqual([null, "plan", "find", "add", null]);
});

test("what comes after the work, and what is asked; a user may let merges be done without being asked", () => {
  const tree = { ...MADE, left: LEFT, weighed: MERGEABLE };
  expect([
    treeAfter(step({ isolation: null, tree })),
    treeAfter(step()),
    treeAfter(step({ tree: MADE })),
    treeAfter(step({ tree })),
    treeAfter(step({ tree, allows: true })),
    treeAfter(step({ tree, isolation: { approve: false } })),
    treeAfter(step({ tree, isolation: { approve: false }, allows: true })),
    treeAfter(step({ tree, outcome: FAILED })),
  ]).toEqual([
    ...[null, null, { do: "collect" }, { ask: { about: "merge", files: ["a.ts"] } }],
    { ask: { about: "merge", files: ["a.ts"] } },
    { ask: { about: "merge", files: ["a.ts"] } },
    { do: "apply" },
    null,
  ]);
});

test("a git step is asked with all that is known of the tree, and only where there is one to do", () => {
  const input = { origin: ORIGIN, name: "build", isolation: ISOLATION, scope: {} };
  expect(treeInput(step(), "before")).toEqual({ ...input, do: "plan", tree: {} });
  expect(treeInput(step({ tree: MADE }), "after")).toEqual({ ...input, do: "collect", tree: MADE });
  const none = 'step "build" has no git step to do';
  expect(() => treeInput(step({ tree: MADE }), "before")).toThrow(none);
  expect(() => treeInput(step(), "after")).toThrow(none);
  expect(() => treeInput(step({ isolation: null }), "before")).toThrow(none);
  const asks = step({ tree: { ...MADE, left: LEFT, weighed: { is: "blocked", why: "w", files: [] } } });
  expect(() => treeInput(asks, "after")).toThrow(none);
});

test("a step that is there to merge has failed where it did not", () => {
  const failed = (why: string) => {
    const message = `troupe/r/build was not merged: ${why}`;
    return {
      outcome: { status: "failed", exitCode: 1, error: { code: "EXECUTION.WORKTREE.NOT_MERGED", message } },
      states: { build: { Output: "", Stderr: message, ExitCode: 1, Status: "failed" } },
    };
  };
  const of = (tree: StepTree, more: Given = {}) =>
    notMerged(step({ tree: { left: LEFT, ...tree }, node: MERGES, ...more }));
  expect(of({})).toEqual(failed("it was not agreed to"));
  expect(of({ end: "kept" })).toEqual(failed("it was not agreed to"));
  expect(of({ weighed: { is: "mergeable", tip: "t", result: "r", files: ["a"] } })).toEqual(
    failed("it was not agreed to"),
  );
  expect(of({ weighed: { is: "blocked", why: "it is gone", files: [] } })).toEqual(failed("it is gone"));
  expect(of({ weighed: { is: "conflicted", files: ["a"] } })).toEqual(
    failed("conflicts with what is committed there (a)"),
  );
  expect(of({ fault: { code: "X", message: "git broke" } })).toEqual(failed("git broke"));
  expect(notMerged(step({ node: MERGES }))?.outcome).toMatchObject({
    error: { message: "the tree was not merged: it was not agreed to" },
  });
  for (const end of ["merged", "discarded", "unchanged"] as const) expect(of({ end })).toBeNull();
  expect([of({}, { outcome: FAILED }), notMerged(step({ tree: { end: "kept" } }))]).toEqual([null, null]);
});

test("a cancel while its tree is seen to: what the work has left stays", () => {
  const { exitCode: ExitCode, status: Status } = CANCELLED;
  expect(cancelledWith(step())).toEqual({
    outcome: CANCELLED,
    states: { build: { Output: "o", ExitCode, Status }, other: { Output: "p" } },
  });
  expect(cancelledWith(step({ node: { name: "new" } })).states).toMatchObject({ build: { Status: "completed" } });
});

describe("rows", () => {
  const told = (after: StepTree, before?: StepTree, given: Given = {}): unknown[] =>
    treeRows(step(given), before, after).map((row) => {
      const { severity, message } = row.payload as { severity: string; message: string };
      expect(row).toEqual({ type: "notice", run: "r", step: "build", payload: { severity, message } });
      return `${severity}: ${message}`;
    });
  test("where it works", () => {
    const own = 'info: "build" works in a tree of its own: /t/build, on the branch troupe/r/build';
    expect([told(MADE), told(MADE, { plan: PLAN }), told(MADE, MADE)]).toEqual([[own], [own], []]);
    expect(told(MADE, undefined, { isolation: { of: "x" } })).toEqual([
      'info: "build" works in the tree of build: /t/build, on the branch troupe/r/build',
    ]);
    expect([told(MADE, undefined, { node: MERGES }), told({ ready: true })]).toEqual([[], []]);
  });

  test("what it has changed", () => {
    const changed = (changes: string[]) => told({ ...MADE, left: { ...LEFT, changed: changes } }, MADE);
    expect(changed(["a.ts"])).toEqual(['info: "build" has changed a.ts on the branch troupe/r/build']);
    expect(changed(MANY)).toEqual(['info: "build" has changed 1, 2, 3, 4, 5 and 2 more on the branch troupe/r/build']);
    const off = { ...LEFT, changed: ["a.ts"], head: "0123456789abcdef", isOffBranch: true as const };
    expect(told({ ...MADE, left: off }, MADE)).toEqual([
      'info: "build" has changed a.ts in the commit 0123456789ab, where no branch is checked out',
    ]);
    const left = { ...MADE, left: LEFT };
    expect([told(left, left), told(left, MADE, { node: MERGES })]).toEqual([[], []]);
    expect(told({ ...MADE, left: { ...LEFT, changed: [], commits: [] } }, MADE)).toEqual([]);
  });

  test("that it was merged", () => {
    const left = { ...MADE, left: LEFT };
    const merged = { ...left, merged: true } as const;
    expect([told(merged, left), told(merged, merged)]).toEqual([
      ['info: the work of "build" was merged into main: a.ts'],
      [],
    ]);
    const of = { isolation: { of: "x" }, node: { name: "both" } };
    expect(told({ ...merged, plan: { ...PLAN, step: "left" } }, left, of)).toEqual([
      'info: the work of "left" was merged into main: a.ts',
    ]);
    expect(told({ ...MADE, merged: true }, MADE)).toEqual(['info: the work of "build" was merged into main: ']);
  });

  test("that its conflicts lead on", () => {
    const left = { ...MADE, left: LEFT };
    const conflicted = { ...left, weighed: { is: "conflicted", files: ["a.ts"] } } satisfies StepTree;
    const onConflict = { isolation: { onConflict: "mend" } };
    expect(told(conflicted, left, onConflict)).toEqual([
      'warning: the work of build conflicts with what is committed there (a.ts): it is not merged, and the run goes on at "mend"',
    ]);
    expect([
      told(conflicted, conflicted, onConflict),
      told(conflicted, left),
      told(conflicted, left, { isolation: null }),
    ]).toEqual([[], [], []]);
  });

  test("that it could not be seen to", () => {
    const row = (error: unknown) => treeFaultRow(step(), error);
    expect(row({ code: "X", message: "git broke" })).toEqual({
      ...{ type: "notice", run: "r", step: "build" },
      payload: { severity: "warning", code: "X", message: 'the tree of "build" is left as it is: git broke' },
    });
    expect(row(null).payload).toMatchObject({ code: "EXECUTION.COMMAND.FAILED" });
  });
});
