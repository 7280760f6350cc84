/**
 * The worktrees of a repository, for who sees to them by hand: the same git as after a step, without its machine.
 *
 * I1. A tree whose run is under way, or waits, belongs to that run and is not touched.
 * I2. Nothing of git is asked of a tree whose repository would run other programs now, before that was agreed to.
 * I3. A merge that is not done changes nothing, in the tree neither.
 * I4. A merge that was cut off is done again from the beginning, and comes to the same; so is a removal.
 */

import { whyBlocked } from "../../machines/worktree/progress.ts";
import { shortBranch, type TreePlan } from "../../machines/worktree/tree.ts";
import { workOf } from "../../machines/worktree/words.ts";
import type { Troupe } from "../api/facade.ts";
import type { RunState } from "../api/records.ts";
import type { Agree, MergeRequest, RemovedWorktree, RemoveRequest, Worktree, Worktrees } from "../api/worktrees.ts";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/user-folders.ts";
import { readConfig } from "../config/config.ts";
import { TroupeError, troupeError } from "../errors/troupe-error.ts";
import { collectTree, lookAtTree } from "../worktrees/collect.ts";
import { type LiveTree, treesOf } from "../worktrees/find.ts";
import { type Git, gitIn } from "../worktrees/git.ts";
import { adminOf, removeTree } from "../worktrees/make.ts";
import { applyMerge } from "../worktrees/merge.ts";
import { brokenSealsOf } from "../worktrees/seals.ts";
import { namedCommits, treeState } from "../worktrees/state.ts";
import { weighMerge } from "../worktrees/weigh.ts";

type Place = { cwd: string; environment: Environment };
type Kept = { tree: Worktree; plan: TreePlan; admin: string };

/** @example for (const tree of await worktreesOf(troupe, { cwd, environment }).list()) console.log(tree.id); */
export function worktreesOf(troupe: Pick<Troupe, "status">, { cwd, environment }: Place): Worktrees {
  const git = gitIn(cwd, { environment });
  const statusOf = async (run: string): Promise<RunState | null> => {
    try {
      return (await troupe.status(run)).status;
    } catch (error) {
      if (troupeError(error).code === "USER.RUN.NOT_FOUND") return null;
      throw error;
    }
  };
  const all = async (): Promise<Kept[]> => {
    const trees = await treesOf(git, readConfig(environment).worktreesDir ?? null, noRepository);
    return (await Promise.all(trees.map((each) => keptOf(git, each, statusOf)))).filter((each) => each !== null);
  };
  const named = async (name: string): Promise<Kept> => chosen(await all(), name);
  return {
    list: async () => (await all()).map(({ tree }) => tree),
    find: async (name) => (await named(name)).tree,
    merge: async (name, request) => merged(git, await free(await named(name), request.agree), request),
    remove: async (name, request) => removed(git, await free(await named(name), request.agree), request),
  };
}

const noRepository = (cwd: string, why: string | null): TroupeError =>
  new TroupeError(
    "USER.WORKTREE.NO_REPOSITORY",
    why === null
      ? `the path of ${cwd} has a line break, so no step has left a worktree there: go to the repository that you mean`
      : `${cwd} is no checkout of a git repository, and worktrees are kept by one: go to it first (git: ${why})`,
    { cwd },
  );

async function keptOf(
  git: Git,
  { record: { plan }, branch }: LiveTree,
  statusOf: (run: string) => Promise<RunState | null>,
): Promise<Kept | null> {
  const admin = await adminOf(plan);
  if (admin === null) return null;
  const suspect = await brokenSealsOf(git, plan, admin);
  const state = suspect.length > 0 ? { changed: [], uncommitted: [], commits: 0 } : await treeState(git, plan, admin);
  const tree: Worktree = {
    id: plan.branch.replace(/^troupe\//, ""),
    run: plan.run,
    step: plan.step,
    path: plan.path,
    branch,
    onto: plan.onto === null ? null : shortBranch(plan.onto),
    checkout: plan.checkout,
    ...state,
    suspect,
    status: await statusOf(plan.run),
  };
  return { tree, plan, admin };
}

function chosen(all: readonly Kept[], name: string): Kept {
  const exact = all.find(({ tree }) => tree.id === name || tree.branch === name);
  const found = exact === undefined && name !== "" ? all.filter(({ tree }) => tree.id.startsWith(name)) : [];
  const [only, ...others] = exact === undefined ? found : [exact];
  if (only !== undefined && others.length === 0) return only;
  const listed = (only === undefined ? all : found).slice(0, 10).map(({ tree }) => tree.id);
  const worktree = name;
  if (only === undefined) {
    const known = listed.length === 0 ? "there is none here" : `here are ${listed.join(", ")}`;
    throw new TroupeError("USER.WORKTREE.NOT_FOUND", `there is no worktree "${name}": ${known}`, { worktree });
  }
  const message = `several worktrees begin with "${name}": ${listed.join(", ")}`;
  throw new TroupeError("USER.WORKTREE.AMBIGUOUS", message, { worktree, worktrees: listed });
}

/** One that no run needs (I1), of a repository that runs what it ran before, or that a person trusts all the same (I2). */
async function free(kept: Kept, agree: Agree): Promise<Kept> {
  const { tree } = kept;
  switch (tree.status) {
    case "running":
    case "waiting":
    case "parked":
      throw new TroupeError(
        "USER.WORKTREE.IN_USE",
        `${tree.id} belongs to a run that is ${tree.status}: end it first, troupe status ${tree.run}`,
      );
    default:
  }
  if (tree.suspect.length > 0 && !(await agree({ about: "configuration", files: tree.suspect, tree })))
    throw notMerged(tree, `${tree.suspect.join(", ")} of ${kept.plan.common} are not as they were`);
  return kept;
}

async function merged(git: Git, { tree, plan, admin }: Kept, { merge, agree }: MergeRequest): Promise<Worktree> {
  const at = String(Math.floor(systemClock.now() / 1000));
  const left = await lookAtTree(git, plan, admin, at);
  const message = workOf(plan);
  const weighed = await weighMerge(git, plan, left, merge, { message });
  const now = { ...tree, changed: left.changed, commits: left.commits.length, uncommitted: [] };
  if (weighed.is !== "mergeable") {
    const files = weighed.files.length === 0 ? "" : `: ${weighed.files.join(", ")}`;
    throw notMerged(tree, `${whyBlocked(weighed)}${files}`);
  }
  if (!(await agree({ about: "merge", files: weighed.files, tree: now })))
    throw notMerged(tree, "it was not agreed to");
  const refused = await applyMerge(git, plan, weighed);
  if (refused !== null) throw notMerged(tree, refused);
  const { head } = await collectTree(git, plan, admin, at);
  // What has come into it meanwhile was not merged: the tree stays.
  if (head === left.head) await removeTree(git, plan, { force: false, head });
  return now;
}

async function removed(git: Git, { tree, plan, admin }: Kept, { branch }: RemoveRequest): Promise<RemovedWorktree> {
  // Of one that is suspect nothing was known before that was agreed to.
  const { uncommitted, commits } = tree.suspect.length > 0 ? await treeState(git, plan, admin) : tree;
  if (uncommitted.length > 0) {
    const message = `${tree.id} has changes in no commit (${uncommitted.slice(0, 5).join(", ")}): commit them in ${tree.path}, or merge it`;
    throw new TroupeError("USER.WORKTREE.CHANGED", message);
  }
  const named = branch ? null : await namedCommits(git, plan, admin);
  if (commits > 0 && named?.ofTree === false) {
    const message = `${tree.id} has commits that no branch has: give them one in ${tree.path} (git switch -c <name>), merge it, or let them go with --branch`;
    throw new TroupeError("USER.WORKTREE.CHANGED", message);
  }
  const goes = branch || (commits === 0 && named?.ofBranch === 0);
  await removeTree(git, plan, { force: false, head: null, ...(goes ? {} : { keepsBranch: true as const }) });
  return { tree, branch: goes ? null : commits === 0 ? plan.branch : tree.branch };
}

const notMerged = ({ id }: Worktree, why: string): TroupeError =>
  new TroupeError("EXECUTION.WORKTREE.NOT_MERGED", `${id} was not merged: ${why}`);
