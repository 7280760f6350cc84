/**
 * Random repositories with everything in them that a user may have: changed, staged, renamed, moded, linked, ignored,
 * in the midst of a merge. A step then works in a tree of it, and whatever the user had is looked at again.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { collectTree } from "../../../actors/worktrees/collect.ts";
import { gitIn as gitOf } from "../../../actors/worktrees/git.ts";
import { includeFiles } from "../../../actors/worktrees/include.ts";
import { addTree, planTree, removeTree } from "../../../actors/worktrees/make.ts";
import { applyMerge } from "../../../actors/worktrees/merge.ts";
import { weighMerge } from "../../../actors/worktrees/weigh.ts";
import { whyBlocked } from "../../../machines/worktree/progress.ts";
import type { MergeWay, TreePlan } from "../../../machines/worktree/tree.ts";
import { filesOf, gitIn, newRepository, put, type Repository, usersOwn } from "../../support/repository.ts";

export type Draw = { below(n: number): number; pick<T>(of: readonly T[]): T; chance(share: number): boolean };

/** Numbers that a seed gives, the same each time. */
export function drawOf(seed: number): Draw {
  let state = (seed * 2654435761) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return {
    below,
    pick: (of) => of[below(of.length)] as never,
    chance: (share) => next() < share,
  };
}

const NAMES = [
  "a.txt",
  "b.txt",
  "src/one.ts",
  "src/deep/two.ts",
  "with space.md",
  "übung/ñ.txt",
  "-dash",
  "quote'\".txt",
  "bin/run.sh",
  "line\nbreak",
] as const;
const text = (draw: Draw): string =>
  Array.from({ length: 1 + draw.below(8) }, (_, line) => `line ${line} ${draw.below(1000)}\n`).join("");

/** Changes some files of a folder, as a person or an agent does. */
function stir(top: string, draw: Draw, many: number): void {
  for (let count = 0; count < many; count++) {
    const name = draw.pick(NAMES);
    const path = join(top, name);
    switch (draw.below(6)) {
      case 0:
        rmSync(path, { recursive: true, force: true });
        break;
      case 1:
        if (existsSync(path)) chmodSync(path, draw.chance(0.5) ? 0o755 : 0o644);
        break;
      case 2:
        rmSync(path, { recursive: true, force: true });
        mkdirSync(dirname(path), { recursive: true });
        symlinkSync(draw.pick(["a.txt", "../outside", "/etc/hostname", "nowhere"]), path);
        break;
      case 3: {
        const to = join(top, `moved-${draw.below(4)}`);
        if (existsSync(path) && !existsSync(to)) renameSync(path, to);
        break;
      }
      default:
        rmSync(path, { recursive: true, force: true });
        put(top, name, text(draw));
    }
  }
}

const commitAll = ({ git }: Repository, message: string): void => {
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", message);
};

/** A repository with a history, and with what its user has not committed. */
export function randomRepository(draw: Draw): Repository {
  const repository = newRepository();
  const { top, git } = repository;
  for (const name of NAMES) if (draw.chance(0.7)) put(top, name, text(draw));
  put(top, ".gitignore", "*.secret\nbuild/\n");
  put(top, ".worktreeinclude", "*.secret\n");
  commitAll(repository, "first");
  for (let count = draw.below(3); count > 0; count--) {
    stir(top, draw, 3);
    commitAll(repository, `more ${count}`);
  }
  put(top, "local.secret", text(draw));
  put(top, "build/out.bin", text(draw));
  if (draw.chance(0.25)) conflict(repository, draw);
  stir(top, draw, draw.below(6));
  if (draw.chance(0.5)) git("add", "-A");
  stir(top, draw, draw.below(4));
  if (draw.chance(0.3)) put(top, "new/untracked.txt", text(draw));
  return repository;
}

/** A merge that stopped in conflicts. */
function conflict(repository: Repository, draw: Draw): void {
  const { top, git, environment } = repository;
  git("branch", "other");
  rmSync(join(top, "a.txt"), { recursive: true, force: true });
  put(top, "a.txt", `mine ${draw.below(100)}\n`);
  commitAll(repository, "mine");
  git("checkout", "-q", "other");
  rmSync(join(top, "a.txt"), { recursive: true, force: true });
  put(top, "a.txt", `theirs ${draw.below(100)}\n`);
  commitAll(repository, "theirs");
  git("checkout", "-q", "main");
  try {
    gitIn(top, environment, ["merge", "-q", "other"]);
  } catch {
    // It stopped, as it was to.
  }
}

const WAYS: readonly MergeWay[] = ["squash", "merge", "rebase"];
const never = new AbortController().signal;

/** What one seed comes to, for who counts; rejects with what is wrong. */
export async function trial(
  seed: number,
  expectSame: (what: string, is: unknown, was: unknown) => void,
): Promise<string> {
  const draw = drawOf(seed);
  const repository = randomRepository(draw);
  const { top, environment, folder } = repository;
  try {
    const git = gitOf(top, { environment });
    const before = usersOwn(repository);
    const from = draw.pick(["dirty", "dirty", "head"]);
    const plan = await planTree(git, { run: `r${seed}`, step: "fan/fix", from, folder: null });
    const admin = await addTree(git, plan);
    await includeFiles(git, plan, never);
    expectSame("planned and made", usersOwn(repository), before);
    if (from === "dirty") expectSame("carried over", carried(plan.path), carried(top));
    stir(plan.path, draw, 1 + draw.below(4));
    if (draw.chance(0.4)) commitIn(plan, environment);
    if (draw.chance(0.3)) stir(plan.path, draw, 2);
    const left = await collectTree(git, plan, admin, "1700000000");
    expectSame("collected", usersOwn(repository), before);
    const kept = filesOf(plan.path, [".git"]);
    if (draw.chance(0.3)) stir(top, draw, 2);
    const own = usersOwn(repository);
    const weighed = await weighMerge(git, plan, left, draw.pick(WAYS), { message: "merged" });
    expectSame("weighed", usersOwn(repository), own);
    if (weighed.is !== "mergeable") {
      expectSame("the tree is kept", filesOf(plan.path, [".git"]), kept);
      return `blocked: ${whyBlocked(weighed).replace(top, "it")}`;
    }
    const refused = await applyMerge(git, plan, weighed);
    if (refused !== null) {
      expectSame("refused", usersOwn(repository), own);
      return `refused: ${refused}`;
    }
    expectSame(
      "merged: other files",
      without(filesOf(top), weighed.files),
      without(own["files"] as Files, weighed.files),
    );
    expectSame(
      "merged: its files",
      only(filesOf(top), weighed.files),
      only(treeFiles(repository, weighed.result), weighed.files),
    );
    await removeTree(git, plan, { force: false, head: left.head });
    expectSame("removed", existsSync(plan.path), false);
    return weighed.files.length === 0 ? "nothing to merge" : "merged";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Files = { [name: string]: string };
const without = (files: Files, names: readonly string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
const only = (files: Files, names: readonly string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => names.includes(name)));

/** What of a folder a tree is to have: all but what is ignored and not asked for. */
const carried = (top: string): Files =>
  Object.fromEntries(Object.entries(filesOf(top)).filter(([name]) => !name.startsWith("build/")));

/** The files of a commit, as a fresh tree of it has them. */
function treeFiles({ git, folder }: Repository, commit: string): Files {
  const fresh = join(folder, "fresh");
  git("worktree", "add", "-q", "--detach", fresh, commit);
  const files = filesOf(fresh, [".git"]);
  git("worktree", "remove", "--force", fresh);
  return files;
}

function commitIn({ path }: TreePlan, environment: { [name: string]: string }): void {
  if (!readFileSync(join(path, ".git"), "utf8").startsWith("gitdir")) throw new Error("no tree");
  gitIn(path, environment, ["add", "-A"]);
  gitIn(path, environment, ["commit", "-q", "--allow-empty", "-m", "the agent's own"]);
}
