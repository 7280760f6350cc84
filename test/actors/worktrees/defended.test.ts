/** What a repository may hold against us, and what is made of it. */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkoutOf, checkWhole } from "../../../actors/worktrees/checkout.ts";
import { collectTree } from "../../../actors/worktrees/collect.ts";
import { type Git, gitIn } from "../../../actors/worktrees/git.ts";
import { includeFiles } from "../../../actors/worktrees/include.ts";
import { addTree, planTree, removeTree } from "../../../actors/worktrees/make.ts";
import { applyMerge } from "../../../actors/worktrees/merge.ts";
import { brokenSeals, sealsOf } from "../../../actors/worktrees/seals.ts";
import { weighMerge } from "../../../actors/worktrees/weigh.ts";
import { newRepository, put, type Repository } from "../../support/repository.ts";

let repository: Repository;
let git: Git;
beforeEach(() => {
  repository = newRepository();
  const { top } = repository;
  put(top, "a.txt", "one\n");
  put(top, ".gitignore", "*.secret\n");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "first");
  git = gitIn(top, { environment: repository.environment });
});
afterEach(() => rmSync(repository.folder, { recursive: true, force: true }));
const planned = () => planTree(git, { run: "r1", step: "fix", from: "dirty", folder: null });

it("no hook, watcher or driver of merges runs, from the plan to the merge", async () => {
  const { top, folder } = repository;
  const canary = join(folder, "ran");
  for (const hook of ["post-checkout", "pre-commit", "post-merge", "reference-transaction", "post-index-change"])
    writeFileSync(join(top, ".git/hooks", hook), `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 });
  repository.git("config", "core.fsmonitor", `touch '${canary}'; false`);
  repository.git("config", "merge.evil.driver", `touch '${canary}'`);
  put(top, ".git/info/attributes", "* merge=evil\n");
  const plan = await planned();
  const admin = await addTree(git, plan);
  put(plan.path, "b.txt", "two\n");
  const left = await collectTree(git, plan, admin, "1700000000");
  const weighed = await weighMerge(git, plan, left, "squash", { message: "merged" });
  if (weighed.is !== "mergeable") throw new Error(JSON.stringify(weighed));
  expect(await applyMerge(git, plan, weighed)).toBeNull();
  await removeTree(git, plan, { force: false, head: left.head });
  expect(readFileSync(join(top, "b.txt"), "utf8")).toBe("two\n");
  expect(existsSync(canary)).toBe(false);
});

it.each([":PATH", ".:PATH", "PATH:", "bin:PATH"])(
  "a git of the repository's own is never run: PATH=%s",
  async (written) => {
    const { top, folder, environment } = repository;
    const canary = join(folder, "ran");
    for (const name of ["git", "bin/git"]) {
      put(top, name, `#!/bin/sh\ntouch '${canary}'\n`);
      chmodSync(join(top, name), 0o755);
    }
    const PATH = written.replace("PATH", environment["PATH"] ?? "");
    expect((await checkoutOf(gitIn(top, { environment: { ...environment, PATH } }))).top).toBe(top);
    expect(existsSync(canary)).toBe(false);
  },
);

it("ignored files are copied where they are named; no link leads out", async () => {
  const { top } = repository;
  put(top, ".worktreeinclude", "*.secret\n");
  put(top, "key.secret", "k\n");
  symlinkSync("/etc/hostname", join(top, "out.secret"));
  symlinkSync("key.secret", join(top, "in.secret"));
  const plan = await planned();
  await addTree(git, plan);
  expect(await includeFiles(git, plan, new AbortController().signal)).toEqual(["out.secret"]);
  expect(readFileSync(join(plan.path, "key.secret"), "utf8")).toBe("k\n");
  expect(lstatSync(join(plan.path, "in.secret")).isSymbolicLink()).toBe(true);
  expect(existsSync(join(plan.path, "out.secret"))).toBe(false);
});

it("a changed configuration, hook or attribute is found; a user's name is none of them", async () => {
  const { top } = repository;
  const common = join(top, ".git");
  const before = await sealsOf(git, common);
  repository.git("config", "user.name", "Bob");
  expect(brokenSeals(before, await sealsOf(git, common))).toEqual([]);
  repository.git("config", "filter.x.clean", "true");
  put(common, "hooks/pre-push", "#!/bin/sh\n");
  put(common, "info/attributes", "* filter=x\n");
  put(common, "commondir", "../elsewhere\n");
  const broken = brokenSeals(before, await sealsOf(git, common));
  expect(broken).toEqual(["commondir", "config", "hooks/pre-push", "info/attributes"]);
});

it("an ignored file of the user's stops a merge that would change it", async () => {
  const { top } = repository;
  put(top, "mine.secret", "mine\n");
  const plan = await planned();
  const admin = await addTree(git, plan);
  put(plan.path, "mine.secret", "theirs\n");
  await git.at(plan.path).run(["add", "-f", "mine.secret"]);
  const left = await collectTree(git, plan, admin, "1700000000");
  const weighed = await weighMerge(git, plan, left, "squash", { message: "merged" });
  expect(weighed).toMatchObject({ is: "blocked", files: ["mine.secret"] });
  expect(readFileSync(join(top, "mine.secret"), "utf8")).toBe("mine\n");
});

it.each(["a file", "a link in a circle"])("%s of the user's in the place of a folder stops a merge", async (what) => {
  const { top } = repository;
  const plan = await planned();
  const admin = await addTree(git, plan);
  put(plan.path, "made/x.txt", "theirs\n");
  const left = await collectTree(git, plan, admin, "1700000000");
  if (what === "a file") put(top, "made", "mine\n");
  else symlinkSync("made", join(top, "made"));
  const weighed = await weighMerge(git, plan, left, "squash", { message: "merged" });
  expect(weighed).toMatchObject({ is: "blocked", files: ["made/x.txt"] });
});

it("a tree with changes is not taken away without a word", async () => {
  const plan = await planned();
  await addTree(git, plan);
  put(plan.path, "a.txt", "changed\n");
  await expect(removeTree(git, plan, { force: false, head: null })).rejects.toThrow("worktree failed");
  expect(readFileSync(join(plan.path, "a.txt"), "utf8")).toBe("changed\n");
});

it("a configuration from elsewhere is refused before a filter of it can run", async () => {
  const { top, folder } = repository;
  const canary = join(folder, "ran");
  cpSync(join(top, ".git"), join(folder, "evil"), { recursive: true });
  const config = readFileSync(join(folder, "evil", "config"), "utf8");
  put(folder, "evil/config", `${config}[filter "evil"]\n\tclean = touch '${canary}'; cat\n`);
  put(top, ".git/commondir", "../../evil\n");
  put(top, ".gitattributes", "* filter=evil\n");
  put(top, "a.txt", "two\n");
  await expect(planned()).rejects.toThrow(/commondir says .* elsewhere, in .*evil/);
  expect(existsSync(canary)).toBe(false);
  repository.git("status");
  expect(existsSync(canary)).toBe(true); // the filter works
});

it("a tree of the repository, a tree of a bare one and one behind a link take no configuration from elsewhere", async () => {
  const { top, folder, environment } = repository;
  repository.git("worktree", "add", "-q", join(folder, "tree"));
  repository.git("clone", "-q", "--bare", top, join(folder, "bare"));
  repository.git("--git-dir", join(folder, "bare"), "worktree", "add", "-q", join(folder, "of-bare"));
  symlinkSync(folder, join(folder, "link"));
  for (const name of ["tree", "of-bare", "link/project", "link/tree"])
    expect((await checkoutOf(gitIn(join(folder, name), { environment }))).head).toMatch(/^[0-9a-f]{40}$/);
});

it("submodules, repositories within and LFS are refused", async () => {
  const { top, environment } = repository;
  const whole = async () => checkWhole(git, await checkoutOf(git));
  put(top, ".gitattributes", "*.bin filter=lfs diff=lfs\n");
  await expect(whole()).rejects.toThrow("Git LFS");
  rmSync(join(top, ".gitattributes"));
  put(top, "inner/file", "x\n");
  await gitIn(join(top, "inner"), { environment }).run(["init", "-q"]);
  await expect(whole()).rejects.toThrow("a repository within");
  rmSync(join(top, "inner"), { recursive: true });
  put(top, ".gitmodules", "");
  await expect(whole()).rejects.toThrow("submodules");
});

it("a file that was changed in the moment in which the index was written is carried over", async () => {
  const { top } = repository;
  const at = Math.floor(Date.now() / 1000) - 5;
  put(top, "a.txt", "two\n");
  utimesSync(join(top, "a.txt"), at, at);
  repository.git("add", "a.txt");
  put(top, "a.txt", "six\n");
  utimesSync(join(top, "a.txt"), at, at);
  repository.git("config", "core.trustctime", "false");
  utimesSync(join(top, ".git/index"), at, at);
  const plan = await planned();
  await addTree(git, plan);
  expect(readFileSync(join(plan.path, "a.txt"), "utf8")).toBe("six\n");
});
