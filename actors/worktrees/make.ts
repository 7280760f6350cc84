/**
 * A tree planned, made and taken away again.
 *
 * I1. Each of these may be cut off anywhere and asked for again: it comes to the same.
 * I2. What is cleared before a tree is made anew was never handed to anyone.
 * I3. A tree is taken away by git, which refuses where something in it is in no commit; by force only where a person
 *     has said that it is to be thrown away. One that only lacks files was being taken away when that was cut off.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { TreePlan } from "../../machines/worktree/tree.ts";
import { TroupeError, troupeError } from "../errors/troupe-error.ts";
import { checkoutOf, checkWhole } from "./checkout.ts";
import { type Git, HALF_MADE, PATIENCE } from "./git.ts";
import { placesOf, treesFolder } from "./places.ts";
import { recordOf, writeRecord } from "./records.ts";
import { NOT_INTO_REPOSITORIES, repositoriesIn } from "./repositories.ts";
import { makeRoom } from "./room.ts";
import { sealsOf } from "./seals.ts";
import { baseOf } from "./snapshot.ts";
import { inTurn } from "./turns.ts";

export type Wanted = {
  run: string;
  step: string;
  from: string;
  /** The folder of all trees; by default one beside the repository. */
  folder: string | null;
};

/** Where the tree is to be, and its base, kept by a hidden reference. `git` stands where the step would run. */
export async function planTree(git: Git, { run, step, from, folder }: Wanted): Promise<TreePlan> {
  const checkout = await checkoutOf(git);
  const top = git.at(checkout.top);
  await checkWhole(top, checkout);
  const above = folder ?? treesFolder(checkout.repository);
  if (`${above}/`.startsWith(`${checkout.top}/`)) {
    const message = `worktrees.dir: ${above} is within ${checkout.top}: a folder outside of it expected`;
    throw new TroupeError("EXECUTION.WORKTREE.UNSUPPORTED", message);
  }
  const places = placesOf(above, run, step);
  const seals = await sealsOf(git, checkout.common);
  const { head, base } = await inTurn(checkout.top, async () => {
    const now = await top.line(["rev-parse", "--verify", "HEAD^{commit}"]); // a merge may have been done meanwhile
    return { head: now, base: await baseOf(git, { ...checkout, head: now }, from, `${places.path}.index`) };
  });
  await git.run(["update-ref", places.ref, base]);
  const plan: TreePlan = {
    run,
    step,
    path: places.path,
    cwd: join(places.path, checkout.prefix),
    branch: places.branch,
    ref: places.ref,
    base,
    head,
    onto: checkout.branch,
    checkout: checkout.top,
    common: checkout.common,
    seals,
  };
  await writeRecord({ plan, made: null });
  return plan;
}

/** Makes the tree, on a branch of its own; answers the directory that git keeps for it. */
export async function addTree(git: Git, plan: TreePlan): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await added(git, plan);
    } catch (error) {
      if (tries === PATIENCE || !HALF_MADE.test(troupeError(error).message)) throw error;
      await setTimeout(tries * 10);
    }
  }
}

async function added(git: Git, plan: TreePlan): Promise<string> {
  // I2: of one that was cut off, whatever git knows and what stands there.
  const trees = await git.list(["worktree", "list", "--porcelain", "-z"]);
  if (trees.includes(`worktree ${plan.path}`))
    await git.run(["worktree", "remove", "-f", "-f", plan.path], { codes: [128] });
  await rm(plan.path, { recursive: true, force: true });
  await makeRoom(dirname(plan.path));
  // Twice: one that was cut off is registered, missing and locked.
  await git.run(["worktree", "add", "-q", "-f", "-f", "-B", plan.branch, plan.path, plan.base]);
  await mkdir(plan.cwd, { recursive: true });
  const admin = await adminOf(plan);
  if (admin === null) throw new TroupeError("EXECUTION.WORKTREE.FAILED", `git has made no tree in ${plan.path}`);
  return admin;
}

/** The directory that git keeps for a tree, as the tree itself says; null where it says none of this repository. */
export async function adminOf({ path, common }: Pick<TreePlan, "path" | "common">): Promise<string | null> {
  const pointer = /^gitdir: (.+)\n?$/.exec(await readFile(join(path, ".git"), "utf8").catch(() => ""))?.[1];
  if (pointer === undefined) return null;
  const admin = resolve(path, pointer);
  return dirname(admin) === join(common, "worktrees") ? admin : null;
}

/** Whether all that is there is as it was committed, and something is missing: nothing is lost with the rest (I3). */
async function isHalfGone(git: Git, { path, common }: TreePlan): Promise<boolean> {
  const pointer = join(path, ".git");
  const admins = (await readdir(join(common, "worktrees")).catch(() => [])).map((name) =>
    join(common, "worktrees", name),
  );
  for (const admin of existsSync(path) ? admins : []) {
    if ((await readFile(join(admin, "gitdir"), "utf8").catch(() => "")).trim() !== pointer) continue;
    const tree = git.at(path, { gitDir: admin });
    if ((await repositoriesIn(tree)).length > 0) return false;
    const states = await tree.list(["status", "--porcelain=v1", "-z", "-uall", "--no-renames", NOT_INTO_REPOSITORIES]);
    return (states.length > 0 || !existsSync(pointer)) && states.every((state) => state.startsWith(" D "));
  }
  return false;
}

/** `keepsBranch`: its branch stays, and with it what no other place has. */
export type Removing = { force: boolean; head: string | null; keepsBranch?: true };

/** Takes the tree away, with its branch and its base. Rejects where git refuses, and then nothing is gone. */
export async function removeTree(git: Git, plan: TreePlan, { force, head, keepsBranch }: Removing): Promise<void> {
  const trees = await git.list(["worktree", "list", "--porcelain", "-z"]);
  if (await isHalfGone(git, plan)) await rm(plan.path, { recursive: true, force: true });
  if (trees.includes(`worktree ${plan.path}`))
    await git.run(["worktree", "remove", ...(force ? ["--force"] : []), plan.path]);
  else if (existsSync(plan.path)) throw new TroupeError("EXECUTION.WORKTREE.FAILED", `${plan.path} is no worktree`);
  // With what it is known to name: a branch that someone has moved on stays.
  const expected = head ?? (await refAt(git, `refs/heads/${plan.branch}`));
  if (expected !== null && keepsBranch !== true)
    await git.run(["update-ref", "-d", `refs/heads/${plan.branch}`, expected], { codes: [1, 128] });
  await git.run(["update-ref", "-d", plan.ref]);
  await rm(recordOf(plan.path), { force: true });
  for (let folder = dirname(plan.path), up = 0; up < 3; folder = dirname(folder), up++)
    if (!(await rmdir(folder).then(...YES_OR_NO))) break;
}
const YES_OR_NO = [() => true, () => false] as const;

/** The commit that a reference names. */
export async function refAt(git: Git, ref: string): Promise<string | null> {
  const end = await git.run(["rev-parse", "--verify", "-q", ref], { codes: [1, 128] });
  return end.stdout.toString().trim() || null;
}
