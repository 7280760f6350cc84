import { describe, expect, it } from "vitest";
import { CANCELLED, COMPLETED, type Outcome } from "../../../machines/model.ts";
import {
  AGAIN,
  afterConflict,
  deedBefore,
  KEEP,
  nextAfter,
  type StepTree,
  withAnswer,
  YES,
} from "../../../machines/worktree/progress.ts";
import type { Isolation, MergeKind, TreePlan, TreeWeighed } from "../../../machines/worktree/tree.ts";

const plan = { path: "/t", checkout: "/c", seals: { config: "1" } } as unknown as TreePlan;
const made: StepTree = { plan, made: { admin: "/a", portBase: 20_000 }, filled: true, ready: true };
const left = { branch: "b", head: "2", changed: ["f"], commits: ["2"], unfinished: null };
const worked: StepTree = { ...made, left };
const mergeable: TreeWeighed = { is: "mergeable", tip: "1", result: "3", files: ["f"] };
const isolation = (merge: MergeKind, approve = true): Isolation => ({ from: "dirty", setup: null, merge, approve });
const next = (tree: StepTree, merge: MergeKind, o: { outcome?: Outcome; allowed?: boolean; approve?: boolean } = {}) =>
  nextAfter(tree, {
    isolation: isolation(merge, o.approve),
    outcome: o.outcome ?? COMPLETED,
    allowed: o.allowed ?? false,
  });

describe("a step's tree", () => {
  it("is planned, added, filled and set up, in this order", () => {
    const trees: StepTree[] = [{}, { plan }, { plan, made: { admin: "/a", portBase: 1 } }, { ...made }];
    expect(trees.map((tree) => deedBefore(tree, isolation("keep")))).toEqual(["plan", "add", "fill", null]);
  });

  it("I2: is asked about before a merge or a throwing away, but where author and user let it be", () => {
    const weighed = { ...worked, weighed: mergeable };
    expect(next(weighed, "squash")).toEqual({ ask: { about: "merge", files: ["f"] } });
    expect(next(weighed, "squash", { approve: false })).toEqual({ ask: { about: "merge", files: ["f"] } });
    expect(next(weighed, "squash", { allowed: true })).toEqual({ ask: { about: "merge", files: ["f"] } });
    expect(next(weighed, "squash", { approve: false, allowed: true })).toEqual({ do: "apply" });
    expect(next(worked, "discard")).toEqual({ ask: { about: "discard", files: ["f"] } });
    expect(next(withAnswer(weighed, YES), "squash")).toEqual({ do: "apply" });
  });

  it("I3: stays after a no, without an answer, after a failure and after a cancel", () => {
    const weighed = { ...worked, weighed: mergeable };
    for (const answer of [KEEP, null]) expect(next(withAnswer(weighed, answer), "merge")).toBeNull();
    expect(next(worked, "discard", { outcome: CANCELLED, allowed: true, approve: false })).toBeNull();
    expect(next(worked, "keep")).toBeNull();
    expect(next({ ...worked, fault: { code: "X", message: "x" } }, "squash")).toBeNull();
  });

  it("goes where nothing was changed, and after a merge", () => {
    const unchanged = { ...made, left: { ...left, changed: [], commits: [] } };
    expect(next(unchanged, "keep", { outcome: CANCELLED })).toEqual({ do: "clear" });
    expect(next({ ...worked, weighed: mergeable, merged: true }, "rebase")).toEqual({ do: "clear" });
  });

  it("that is blocked is asked about, and weighed again where a person says so", () => {
    const blocked: StepTree = { ...worked, weighed: { is: "blocked", why: "conflicts", files: ["f"] } };
    expect(next(blocked, "merge", { allowed: true, approve: false })).toEqual({
      ask: { about: "block", why: "conflicts", files: ["f"] },
    });
    expect(next(withAnswer(blocked, AGAIN), "merge")).toEqual({ do: "weigh" });
  });

  it("with conflicts goes to the state that the author has named, and asks nobody", () => {
    const conflicted: StepTree = { ...worked, weighed: { is: "conflicted", files: ["f"] } };
    expect(next(conflicted, "squash")).toEqual({
      ask: { about: "block", why: "conflicts with what is committed there", files: ["f"] },
    });
    expect(afterConflict(conflicted, isolation("squash"))).toBeNull();
    const named: Isolation = { ...isolation("squash"), onConflict: "mend" };
    expect(nextAfter(conflicted, { isolation: named, outcome: COMPLETED, allowed: false })).toBeNull();
    expect(afterConflict(conflicted, named)).toBe("mend");
    expect(afterConflict({ ...conflicted, end: "kept" }, named)).toBeNull();
    expect(afterConflict({ ...worked, weighed: mergeable }, named)).toBeNull();
  });

  it("of an earlier step is found, and nothing is made", () => {
    const of: Isolation = { ...isolation("keep"), of: "fix" };
    expect(deedBefore({}, of)).toBe("find");
    expect(deedBefore(made, of)).toBeNull();
  });

  it("whose repository runs other things now waits for a person before anything of git", () => {
    const suspect: StepTree = { ...made, suspect: { files: ["config"], seals: { config: "2" } } };
    expect(next(suspect, "keep")).toEqual({ ask: { about: "seals", files: ["config"] } });
    expect(next(withAnswer(suspect, null), "keep")).toBeNull();
    const agreed = withAnswer(suspect, YES);
    expect(agreed.plan?.seals).toEqual({ config: "2" });
    expect(next(agreed, "keep")).toEqual({ do: "collect" });
  });
});
