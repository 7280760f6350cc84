/** Covers `tree.ts`: what a step asks, shows and hands on of a tree of its own. */
import { describe, expect, test } from "vitest";
import { CANCELLED, COMPLETED } from "../../../machines/model.ts";
import {
  cancelledWith,
  chosenOption,
  notMerged,
  treeAfter,
  treeBefore,
  treeFaultRow,
  treeInput,
  treeQuestion,
  treeRows,
} from "../../../machines/step/tree.ts";
import type { StepTree } from "../../../machines/worktree/progress.ts";
import type { Isolation, TreePlan, TreeWeighed } from "../../../machines/worktree/tree.ts";

const PLAN: TreePlan = {
  ...{ run: "r", step: "build", path: "/t/build", cwd: "/t/build", branch: "troupe/r/build", ref: "refs/x", base: "b" },
  ...{ head: "h", onto: "refs/heads/main", checkout: "/repo", common: "/repo/.git", seals: {} },
};
const MADE = { plan: PLAN, made: { admin: "/a", portBase: 1 }, filled: true, ready: true } as const;
const MERGEABLE: TreeWeighed = { is: "mergeable", tip: "t", result: "r", files: ["a.ts"] };
const LEFT = { branch: "troupe/r/build", head: "h2", changed: ["a.ts"], commits: ["c"], unfinished: null };
const MANY = ["1", "2", "3", "4", "5", "6", "7"];
const ISOLATION: Isolation = { from: "", setup: null, merge: "merge", approve: true };
const ORIGIN = { session: "s", run: "r", step: "build", parallel: false };
const FAILED = { status: "failed", exitCode: 2 } as const;
type Given = {
  at?: { step: string; item: string };
  tree?: StepTree;
  isolation?: Partial<Isolation> | null;
  outcome?: object;
  allows?: boolean;
  node?: object;
};
/** A step whose work has ended so. */
const step = ({ at, tree, isolation = {}, outcome = COMPLETED, allows = false, node = {} }: Given = {}) =>
  ({
    birth: {
      origin: { ...ORIGIN, ...(at === undefined ? {} : { step: at.step }) },
      ...(at === undefined ? {} : { round: { item: at.item, of: 2 } }),
      scope: allows ? { chosen: { merges: "allow" } } : {},
      node: {
        ...{ name: "build", type: "command" },
        ...(isolation === null ? {} : { isolation: { ...ISOLATION, ...isolation } }),
        ...node,
      },
    },
    ...(tree === undefined ? {} : { tree }),
    judgement: {
      outcome,
      states: { build: { Output: "o", ExitCode: 0, Status: "completed" }, other: { Output: "p" } },
    },
  }) as never;
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

describe("questions", () => {
  const asked = { run: "r", step: "build", kind: "edit", timeoutMs: null };
  const options = (yes: string, no = "Keep it on its branch", id = "yes") => [
    { id, name: yes, kind: "allow_once" },
    { id: "keep", name: no, kind: "reject_once" },
  ];
  const about = (kind: string, files: string[]) => ({
    input: { about: kind, files, tree: "/t/build" },
    locations: files.map((file) => ({ path: `/repo/${file}` })),
  });
  test.each([
    ["each/1.build", "each[src/a.ts]/build"],
    ["each/1.check#2", "each[src/a.ts]/check#2"],
    ["each/0.build", "each[1]/build"],
    ["outer/0.each/1.build", "outer[1]/each[2]/build"],
    ["run.", "this run"],
  ])("name the work of %s by the item of this round, else by its number", (owner, shown) => {
    const plan = { ...PLAN, step: owner };
    const at = { step: "each/1.build", item: "src/a.ts" };
    const tree = { ...MADE, plan, left: LEFT, weighed: MERGEABLE };
    const given = { at, tree, isolation: { of: "build" } };
    expect(treeQuestion(step(given)).title).toBe(`Merge the work of ${shown} into main?`);
    const rows = treeRows(step(given), tree, { ...tree, merged: true });
    expect(rows.map(({ payload }) => (payload as { message: string }).message)).toEqual([
      `the work of "${shown}" was merged into main: a.ts`,
    ]);
  });
  test("about a merge, and about what is thrown away", () => {
    const tree = { ...MADE, left: LEFT, weighed: MERGEABLE };
    expect(treeQuestion(step({ tree }))).toEqual({
      ...asked,
      title: "Merge the work of build into main?",
      message: "It stands in /t/build. A merge changes these files in /repo.",
      options: options("Merge it"),
      ...about("merge", ["a.ts"]),
    });
    expect(treeQuestion(step({ tree: { ...MADE, left: LEFT }, isolation: { merge: "discard" } }))).toEqual({
      ...asked,
      title: "Throw away what build has changed?",
      message: "It stands in /t/build. These changes are in no other place.",
      options: options("Throw it away"),
      ...about("discard", ["a.ts"]),
    });
  });

  test("about a changed configuration of git", () => {
    const tree = { ...MADE, suspect: { files: ["config"], seals: {} } };
    expect(treeQuestion(step({ tree }))).toEqual({
      ...asked,
      title: "Go on with a changed configuration of git?",
      message:
        "Files of /repo/.git were changed while the step worked in its tree. By them git can be made to run programs. Nothing has been done with the tree yet.",
      options: options("Go on as they are now", "Leave the tree as it is"),
      ...about("seals", ["config"]),
    });
  });

  test("about a merge that cannot be done, with a few of its files", () => {
    const title = (weighed: StepTree["weighed"], plan: TreePlan = PLAN) =>
      treeQuestion(step({ tree: { ...MADE, plan, left: LEFT, weighed: weighed! } }));
    expect(title({ is: "conflicted", files: ["a.ts"] })).toEqual({
      ...asked,
      title: "Not merged into main: conflicts with what is committed there (a.ts). Try again?",
      message: "Nothing was changed. The work is in /t/build.",
      options: options("Try again", undefined, "again"),
      ...about("block", ["a.ts"]),
    });
    expect(title({ is: "blocked", why: "it is gone", files: MANY }).title).toBe(
      "Not merged into main: it is gone (1, 2, 3, 4, 5 and 2 more). Try again?",
    );
    expect(title({ is: "blocked", why: "there was no branch", files: [] }, { ...PLAN, onto: null })).toMatchObject({
      title: "Not merged: there was no branch",
      options: [{ id: "keep", name: "Keep it on its branch", kind: "reject_once" }],
    });
    expect(title({ is: "blocked", why: "it is gone", files: MANY.slice(0, 5) }).title).toContain("(1, 2, 3, 4, 5)");
    expect(title({ is: "blocked", why: "it is gone", files: [] }).title).toBe(
      "Not merged into main: it is gone. Try again?",
    );
    const files = Array.from({ length: 60 }, (_, at) => `${at}`);
    expect(title({ is: "conflicted", files }).locations).toHaveLength(50);
  });

  test("none where there is nothing to ask", () => {
    for (const given of [{}, { tree: MADE }, { tree: { ...MADE, left: LEFT }, isolation: { merge: "keep" as const } }])
      expect(() => treeQuestion(step(given))).toThrow("there is no tree to ask about");
  });

  test("an answer is the option that was chosen", () => {
    expect([chosenOption({ outcome: "selected", option: "yes" }), chosenOption({ outcome: "cancelled" })]).toEqual([
      "yes",
      null,
    ]);
  });
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
