/** Merges into one checkout at once, or cut off, and trees that were half taken away. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { collectTree } from "../../../actors/worktrees/collect.ts";
import { type Git, gitIn } from "../../../actors/worktrees/git.ts";
import { addTree, planTree, removeTree } from "../../../actors/worktrees/make.ts";
import { applyWeighed } from "../../../actors/worktrees/merge.ts";
import { weighMerge } from "../../../actors/worktrees/weigh.ts";
import { newRepository, put, type Repository } from "../../support/repository.ts";

let repository: Repository;
let git: Git;
beforeEach(() => {
  repository = newRepository();
  put(repository.top, "a.txt", "one\n");
  put(repository.top, "b.txt", "one\n");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "first");
  git = gitIn(repository.top, { environment: repository.environment });
});
afterEach(() => rmSync(repository.folder, { recursive: true, force: true }));

/** A tree in which a step has written files, and what its merge would come to. */
async function worked(step: string, ...names: string[]) {
  const plan = await planTree(git, { run: "r1", step, from: "dirty", folder: null });
  const admin = await addTree(git, plan);
  for (const name of names) put(plan.path, name, `${step}\n`);
  const left = await collectTree(git, plan, admin, "1700000000");
  const words = { message: `work of ${step}` };
  const weighed = await weighMerge(git, plan, left, "squash", words);
  if (weighed.is !== "mergeable") throw new Error(JSON.stringify(weighed));
  /** As a step does it: what is weighed anew, and may be done at once, is asked for again. */
  const apply = async (as = weighed): Promise<string> => {
    const done = await applyWeighed(git, plan, as, { left, way: "squash", words });
    if ("merged" in done) return "merged";
    return done.weighed.is === "mergeable" ? apply(done.weighed) : JSON.stringify(done.weighed);
  };
  return { plan, left, weighed, apply };
}
const status = (): string => repository.git("status", "--porcelain");
const textOf = (name: string): string => readFileSync(join(repository.top, name), "utf8");

it("merges that are asked for at once come one after another, each whole", async () => {
  const steps = ["s1", "s2", "s3", "s4", "s5", "s6"];
  const trees = await Promise.all(steps.map((step) => worked(step, `${step}.txt`)));
  expect(await Promise.all(trees.map(({ apply }) => apply()))).toEqual(steps.map(() => "merged"));
  expect(steps.map((step) => textOf(`${step}.txt`))).toEqual(steps.map((step) => `${step}\n`));
  expect(status()).toBe("");
});

it("what a merge that was cut off has written is taken back where the checkout has moved on, and done anew", async () => {
  const cutOff = await worked("cut", "a.txt", "new.txt");
  const other = await worked("other", "other.txt");
  const { tip, result } = cutOff.weighed;
  // Git had written the files and the index, and not yet the branch.
  repository.git("read-tree", "-m", "-u", tip, result);
  expect(await other.apply()).toBe("merged");
  expect(await cutOff.apply()).toBe("merged");
  expect([textOf("a.txt"), textOf("new.txt"), textOf("other.txt")]).toEqual(["cut\n", "cut\n", "other\n"]);
  expect(repository.git("log", "--format=%s").trim().split("\n")).toEqual(["work of cut", "work of other", "first"]);
  expect(status()).toBe("");
});

it("nothing is taken back of files that are the user's by now", async () => {
  const cutOff = await worked("cut", "a.txt");
  const { tip, result } = cutOff.weighed;
  repository.git("read-tree", "-m", "-u", tip, result);
  repository.git("commit", "-q", "-m", "the same by hand");
  put(repository.top, "b.txt", "mine\n");
  expect(await cutOff.apply()).toContain("the checkout has moved on meanwhile");
  expect([textOf("a.txt"), textOf("b.txt")]).toEqual(["cut\n", "mine\n"]);
  expect(status()).toBe(" M b.txt\n");
});

it("a tree whose removal was cut off goes, whatever of it was left; one with a change does not", async () => {
  const { plan, left } = await worked("gone", "c.txt");
  const other = await worked("changed", "c.txt");
  for (const { path } of [plan, other.plan]) for (const name of [".git", "a.txt"]) rmSync(join(path, name));
  put(other.plan.path, "d.txt", "in no commit\n");
  await removeTree(git, plan, { force: false, head: left.head });
  expect(existsSync(plan.path)).toBe(false);
  expect(repository.git("for-each-ref", "--format=%(refname)")).not.toContain("gone");
  await expect(removeTree(git, other.plan, { force: false, head: null })).rejects.toThrow("worktree failed");
  expect(readFileSync(join(other.plan.path, "d.txt"), "utf8")).toBe("in no commit\n");
});
