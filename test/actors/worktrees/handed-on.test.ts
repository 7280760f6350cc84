/** Trees that a later step, or a person, continues to work in. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { collectTree } from "../../../actors/worktrees/collect.ts";
import { findTree } from "../../../actors/worktrees/find.ts";
import { type Git, gitIn } from "../../../actors/worktrees/git.ts";
import { addTree, planTree } from "../../../actors/worktrees/make.ts";
import { applyMerge, applyWeighed } from "../../../actors/worktrees/merge.ts";
import { writeRecord } from "../../../actors/worktrees/records.ts";
import { weighMerge } from "../../../actors/worktrees/weigh.ts";
import type { MergeWay } from "../../../machines/worktree/tree.ts";
import { newRepository, put, type Repository, gitIn as run } from "../../support/repository.ts";

let repository: Repository;
let git: Git;
beforeEach(() => {
  repository = newRepository();
  put(repository.top, "a.txt", "one\n");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "first");
  git = gitIn(repository.top, { environment: repository.environment });
});
afterEach(() => rmSync(repository.folder, { recursive: true, force: true }));

async function made(step: string) {
  const plan = await planTree(git, { run: "r1", step, from: "dirty", folder: null });
  const admin = await addTree(git, plan);
  await writeRecord({ plan, made: { admin, portBase: 20_000 } });
  return { plan, admin };
}
const found = (branch: string) => findTree(git, { branch, said: branch, folder: null });

it("a tree is found by its branch, also from within another; not where it has gone or has another repository", async () => {
  const { plan, admin } = await made("fix");
  const other = await made("other");
  expect(await found(plan.branch)).toMatchObject({ plan, made: { admin } });
  const within = { branch: plan.branch, said: plan.branch, folder: null };
  expect(await findTree(git.at(other.plan.path), within)).toMatchObject({ plan });
  await expect(found("main")).rejects.toThrow(`known: ${plan.branch}, ${other.plan.branch}`);
  await writeRecord({ plan: { ...plan, common: "/elsewhere" }, made: null });
  await expect(found(plan.branch)).rejects.toMatchObject({ code: "EXECUTION.WORKTREE.NOT_FOUND" });
  await git.run(["worktree", "remove", other.plan.path]);
  await expect(found(other.plan.branch)).rejects.toThrow("known: none");
});

it("commits behind no branch are told so", async () => {
  const { plan, admin } = await made("fix");
  run(plan.path, repository.environment, ["switch", "-q", "--detach"]);
  put(plan.path, "a.txt", "two\n");
  const left = await collectTree(git, plan, admin, "1700000000");
  expect(left).toMatchObject({ branch: plan.branch, isOffBranch: true, changed: ["a.txt"], head: left.commits[0] });
  run(plan.path, repository.environment, ["switch", "-q", "-c", "own"]);
  expect(await collectTree(git, plan, admin, "1700000000")).not.toHaveProperty("isOffBranch");
});

it.each<MergeWay>(["squash", "merge"])(
  "conflicts that were resolved in the tree are none any more: %s",
  async (way) => {
    const { top, environment } = repository;
    put(top, "mine.txt", "not committed\n");
    const { plan, admin } = await made("fix");
    put(plan.path, "a.txt", "two\n");
    await collectTree(git, plan, admin, "1700000000");
    put(top, "a.txt", "three\n");
    repository.git("commit", "-q", "-a", "-m", "meanwhile");
    const weighed = async () =>
      weighMerge(git, plan, await collectTree(git, plan, admin, "1700000000"), way, { message: "merged" });
    expect(await weighed()).toEqual({ is: "conflicted", files: ["a.txt"] });
    expect(() => run(plan.path, environment, ["merge", "-q", "main"])).toThrow();
    put(plan.path, "a.txt", "two and three\n");
    run(plan.path, environment, ["add", "-A"]);
    run(plan.path, environment, ["commit", "-q", "-m", "mended"]);
    const mended = await weighed();
    if (mended.is !== "mergeable") throw new Error(JSON.stringify(mended));
    expect(mended.files).toEqual(["a.txt"]);
    expect(await applyMerge(git, plan, mended)).toBeNull();
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe("two and three\n");
    // What was carried over into the tree is not committed by its merge.
    expect(repository.git("status", "--porcelain").trim()).toBe("?? mine.txt");
  },
);

it("a merge of a checkout that has moved on is weighed anew; with other files a person is asked", async () => {
  const { top } = repository;
  const { plan, admin } = await made("fix");
  put(plan.path, "b.txt", "two\n");
  const left = await collectTree(git, plan, admin, "1700000000");
  const weighing = { left, way: "squash", words: { message: "merged" } } as const;
  const first = await weighMerge(git, plan, left, "squash", weighing.words);
  if (first.is !== "mergeable") throw new Error(JSON.stringify(first));
  put(top, "other.txt", "by another merge\n");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "meanwhile");
  const again = await applyWeighed(git, plan, first, weighing);
  if (!("weighed" in again) || again.weighed.is !== "mergeable") throw new Error(JSON.stringify(again));
  expect(again.weighed.files).toEqual(["b.txt"]);
  expect(await applyWeighed(git, plan, { ...first, files: ["b.txt", "c.txt"] }, weighing)).toMatchObject({
    weighed: { is: "blocked" },
  });
  expect(await applyWeighed(git, plan, again.weighed, weighing)).toEqual({ merged: true });
  expect(readFileSync(join(top, "b.txt"), "utf8")).toBe("two\n");
});

it("trees are made beside each other: what git reads of one that is half made is read again", async () => {
  const steps = Array.from({ length: 12 }, (_, at) => `fan/${at}`);
  const plans = await Promise.all(steps.map(made));
  expect(new Set(plans.map(({ admin }) => admin)).size).toBe(12);
});
