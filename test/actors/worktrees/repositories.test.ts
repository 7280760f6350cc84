/** A repository within a checkout names programs of its own: nothing of ours lets git look into it (I1). */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collectTree, lookAtTree } from "../../../actors/worktrees/collect.ts";
import { type Git, gitIn } from "../../../actors/worktrees/git.ts";
import { addTree, planTree, removeTree } from "../../../actors/worktrees/make.ts";
import { applyMerge } from "../../../actors/worktrees/merge.ts";
import { repositoriesIn } from "../../../actors/worktrees/repositories.ts";
import { treeState } from "../../../actors/worktrees/state.ts";
import { weighMerge } from "../../../actors/worktrees/weigh.ts";
import type { TreePlan } from "../../../machines/worktree/tree.ts";
import { newRepository, put, type Repository, gitIn as ranIn } from "../../support/repository.ts";

const AT = "1700000000";
let repository: Repository;
let git: Git;
let plan: TreePlan;
let admin: string;
let canary: string;

beforeEach(async () => {
  repository = newRepository();
  canary = join(repository.folder, "ran");
  put(repository.top, "a.txt", "one\n");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "first");
  git = gitIn(repository.top, { environment: repository.environment });
  plan = await planTree(git, { run: "r1", step: "fix", from: "dirty", folder: null });
  admin = await addTree(git, plan);
});
afterEach(() => rmSync(repository.folder, { recursive: true, force: true }));

/** In the index of this checkout, with a file that only its filter can tell to be as it was. */
function repositoryIn(top: string): void {
  const run = (cwd: string, ...args: string[]) => ranIn(cwd, repository.environment, args);
  const within = join(top, "sub");
  put(within, ".gitattributes", "* filter=evil\n");
  put(within, "file", "one\n");
  run(within, "init", "-q");
  run(within, "add", "-A");
  run(within, "commit", "-q", "-m", "first");
  run(top, "-c", "advice.addEmbeddedRepo=false", "add", "sub");
  run(within, "config", "filter.evil.clean", `touch '${canary}'; cat`);
  put(within, "file", "two\n");
}

it("this test's own filter runs where git looks into the repository", () => {
  repositoryIn(plan.path);
  ranIn(plan.path, repository.environment, ["status"]);
  expect(existsSync(canary)).toBe(true);
});

describe("in the index of a tree", () => {
  beforeEach(() => repositoryIn(plan.path));
  afterEach(() => expect(existsSync(canary)).toBe(false));

  it("it is found", async () => {
    expect(await repositoriesIn(git.at(plan.path))).toEqual(["sub"]);
    expect(await repositoriesIn(git)).toEqual([]);
  });
  it.each([
    ["collected", collectTree],
    ["looked at", lookAtTree],
  ])("the tree is left as it is where it is %s", async (_, look) => {
    const left = await look(git, plan, admin, AT);
    expect(left).toMatchObject({ unfinished: "sub in it is a repository of its own", commits: [] });
  });
  it("what it holds counts as in no commit", async () => {
    expect((await treeState(git, plan, admin)).uncommitted).toEqual(["sub"]);
  });
  it("the tree is not taken away without a word", async () => {
    await expect(removeTree(git, plan, { force: false, head: null })).rejects.toThrow("submodules");
    rmSync(join(plan.path, "a.txt"));
    await expect(removeTree(git, plan, { force: false, head: null })).rejects.toThrow("submodules");
    expect(readFileSync(join(plan.path, "sub", "file"), "utf8")).toBe("two\n");
  });
});

it("in the index of the user's checkout: a merge is weighed and done, and cut off and done, beside it", async () => {
  put(plan.path, "b.txt", "two\n");
  const left = await collectTree(git, plan, admin, AT);
  repositoryIn(repository.top);
  const weighed = await weighMerge(git, plan, left, "squash", { message: "merged" });
  if (weighed.is !== "mergeable") throw new Error(JSON.stringify(weighed));
  put(repository.top, "b.txt", "two\n"); // as one that was cut off has left it
  expect(await applyMerge(git, plan, weighed)).toBeNull();
  expect(readFileSync(join(repository.top, "b.txt"), "utf8")).toBe("two\n");
  expect(existsSync(canary)).toBe(false);
});
