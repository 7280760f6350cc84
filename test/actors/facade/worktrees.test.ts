/** Worktrees seen to by hand: what is listed, what asks, and what is refused. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunRecord, RunState } from "../../../actors/api/records.ts";
import type { Agree, Worktrees } from "../../../actors/api/worktrees.ts";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { worktreesOf } from "../../../actors/facade/worktrees.ts";
import { gitIn } from "../../../actors/worktrees/git.ts";
import { addTree, planTree } from "../../../actors/worktrees/make.ts";
import { writeRecord } from "../../../actors/worktrees/records.ts";
import { sealsNow } from "../../../actors/worktrees/seals.ts";
import { newRepository, put, type Repository, gitIn as run } from "../../support/repository.ts";

let repository: Repository;
let states: { [run: string]: RunState };
let trees: Worktrees;
beforeEach(() => {
  repository = newRepository();
  put(repository.top, "a.txt", "one\n");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "first");
  states = {};
  const status = async (id: string): Promise<RunRecord> => {
    const state = states[id];
    if (state === undefined) throw new TroupeError("USER.RUN.NOT_FOUND", `there is no run "${id}"`);
    return { status: state } as RunRecord;
  };
  trees = worktreesOf({ status }, { cwd: repository.top, environment: repository.environment });
});
afterEach(() => rmSync(repository.folder, { recursive: true, force: true }));

it("outside of a repository is the user's to mend, and said without a word of steps", async () => {
  const status = () => Promise.reject(new Error("no run is asked for"));
  const outside = worktreesOf({ status }, { cwd: repository.folder, environment: repository.environment });
  const refused = { code: "USER.WORKTREE.NO_REPOSITORY", message: expect.not.stringContaining("isolation") };
  await expect(outside.list()).rejects.toMatchObject(refused);
  await expect(outside.find("fix")).rejects.toMatchObject(refused);
  // Git's answers are lines: such a checkout has no trees.
  const folder = join(repository.folder, "a\nb");
  mkdirSync(folder);
  await gitIn(folder, { environment: repository.environment }).run(["init", "-q"]);
  const broken = worktreesOf({ status }, { cwd: folder, environment: repository.environment });
  await expect(broken.list()).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining("a line break, so"),
  });
});

/** A tree as a step leaves it: with a change in a commit, and one that is in none where that is given. */
async function left(id: string, uncommitted?: string): Promise<string> {
  const git = gitIn(repository.top, { environment: repository.environment });
  const planned = await planTree(git, { run: id, step: "fan/fix", from: "dirty", folder: null });
  const admin = await addTree(git, planned);
  const plan = { ...planned, seals: await sealsNow(git, planned.common, admin) };
  await writeRecord({ plan, made: { admin, portBase: 20_000 } });
  put(plan.path, `${id}.txt`, "two\n");
  run(plan.path, repository.environment, ["add", "-A"]);
  run(plan.path, repository.environment, ["commit", "-q", "-m", "the agent's"]);
  if (uncommitted !== undefined) put(plan.path, uncommitted, "three\n");
  return plan.path;
}
const yes: Agree = async () => true;
const no: Agree = async () => false;
const branches = (): string => repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads").trim();

it("are listed with what they hold, and found by the beginning of their names", async () => {
  const path = await left("r1", "more.txt");
  await left("r2");
  states["r2"] = "completed";
  expect(await trees.list()).toMatchObject([
    {
      ...{ id: "r1/fan+fix", run: "r1", step: "fan/fix", path, branch: "troupe/r1/fan+fix", onto: "main", commits: 1 },
      ...{ changed: ["more.txt", "r1.txt"], uncommitted: ["more.txt"], suspect: [], status: null },
    },
    { id: "r2/fan+fix", changed: ["r2.txt"], uncommitted: [], status: "completed" },
  ]);
  expect(await trees.find("r2")).toMatchObject({ id: "r2/fan+fix" });
  expect(await trees.find("troupe/r1/fan+fix")).toMatchObject({ id: "r1/fan+fix" });
  await expect(trees.find("r")).rejects.toMatchObject({ code: "USER.WORKTREE.AMBIGUOUS" });
  await expect(trees.find("fix")).rejects.toMatchObject({ code: "USER.WORKTREE.NOT_FOUND" });
});

it("are none in a repository without a commit, which is no fault", async () => {
  const top = join(repository.folder, "new");
  run(repository.folder, repository.environment, ["init", "-q", top]);
  const none = worktreesOf({ status: () => Promise.reject() }, { cwd: top, environment: repository.environment });
  expect(await none.list()).toEqual([]);
  await expect(none.find("x")).rejects.toMatchObject({ code: "USER.WORKTREE.NOT_FOUND" });
});

it("are merged when it is agreed to, with what is in no commit yet, and go", async () => {
  const path = await left("r1", "more.txt");
  const asked: unknown[] = [];
  const refuses: Agree = async ({ about, files }) => asked.push({ about, files }) === 0;
  await expect(trees.merge("r1", { merge: "squash", agree: refuses })).rejects.toMatchObject({
    code: "EXECUTION.WORKTREE.NOT_MERGED",
  });
  expect(asked).toEqual([{ about: "merge", files: ["more.txt", "r1.txt"] }]);
  expect(existsSync(join(repository.top, "r1.txt"))).toBe(false);
  // I3: neither index nor branch of the tree has moved.
  expect(run(path, repository.environment, ["status", "--porcelain"])).toBe("?? more.txt\n");
  expect(run(path, repository.environment, ["log", "-1", "--format=%s"])).toBe("the agent's\n");
  await trees.merge("r1", { merge: "squash", agree: yes });
  expect(readFileSync(join(repository.top, "more.txt"), "utf8")).toBe("three\n");
  expect([existsSync(path), branches()]).toEqual([false, "main"]);
});

it("are not touched while their run is under way or waits", async () => {
  const path = await left("r1");
  for (const state of ["running", "waiting", "parked"] as const) {
    states["r1"] = state;
    const inUse = { code: "USER.WORKTREE.IN_USE" };
    await expect(trees.merge("r1", { merge: "squash", agree: yes })).rejects.toMatchObject(inUse);
    await expect(trees.remove("r1", { branch: true, agree: yes })).rejects.toMatchObject(inUse);
  }
  expect([existsSync(path), branches()]).toEqual([true, "main\ntroupe/r1/fan+fix"]);
});

it("are not removed with what is in no commit; what is stays on the branch, unless that goes too", async () => {
  const path = await left("r1", "more.txt");
  await expect(trees.remove("r1", { branch: true, agree: yes })).rejects.toMatchObject({
    code: "USER.WORKTREE.CHANGED",
  });
  expect(readFileSync(join(path, "more.txt"), "utf8")).toBe("three\n");
  rmSync(join(path, "more.txt"));
  expect(await trees.remove("r1", { branch: false, agree: yes })).toMatchObject({ branch: "troupe/r1/fan+fix" });
  expect([existsSync(path), branches()]).toEqual([false, "main\ntroupe/r1/fan+fix"]);
  await left("r2");
  expect(await trees.remove("r2", { branch: true, agree: yes })).toMatchObject({ branch: null });
  expect([await trees.list(), branches()]).toEqual([[], "main\ntroupe/r1/fan+fix"]);
});

it("of a repository that would run other programs now ask before anything of git", async () => {
  const path = await left("r1");
  const canary = join(repository.folder, "ran");
  repository.git("config", "filter.x.clean", `touch '${canary}'; cat`);
  put(repository.top, ".git/info/attributes", "* filter=x\n");
  put(path, "more.txt", "three\n");
  expect(await trees.list()).toMatchObject([{ suspect: ["config", "info/attributes"], changed: [] }]);
  await expect(trees.merge("r1", { merge: "squash", agree: no })).rejects.toThrow("config, info/attributes");
  await expect(trees.remove("r1", { branch: true, agree: no })).rejects.toThrow("config, info/attributes");
  expect([existsSync(canary), existsSync(path)]).toEqual([false, true]);
});

it("keep the branch with its commits also where that was asked before anything of git", async () => {
  const path = await left("r1");
  repository.git("config", "core.editor", "vi");
  expect(await trees.remove("r1", { branch: false, agree: yes })).toMatchObject({ branch: "troupe/r1/fan+fix" });
  expect([existsSync(path), branches()]).toEqual([false, "main\ntroupe/r1/fan+fix"]);
});

it("are not removed with commits that no branch has", async () => {
  const path = await left("r1");
  run(path, repository.environment, ["switch", "-q", "--detach"]);
  run(path, repository.environment, ["commit", "-q", "--allow-empty", "-m", "on no branch"]);
  const request = { branch: false, agree: yes };
  await expect(trees.remove("r1", request)).rejects.toThrow("git switch -c <name>");
  expect(existsSync(path)).toBe(true);
  run(path, repository.environment, ["switch", "-q", "-c", "mine"]);
  expect(await trees.remove("r1", request)).toMatchObject({ branch: "mine" });
  expect(branches()).toBe("main\nmine\ntroupe/r1/fan+fix");
});

it("keep a branch that was left with commits", async () => {
  const path = await left("r1");
  run(path, repository.environment, ["switch", "-q", "-c", "mine", "HEAD~1"]);
  const removed = await trees.remove("r1", { branch: false, agree: yes });
  expect(removed).toMatchObject({ branch: "troupe/r1/fan+fix" });
  expect(branches()).toBe("main\nmine\ntroupe/r1/fan+fix");
});
