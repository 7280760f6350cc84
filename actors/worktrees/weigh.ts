/**
 * What a merge of a tree into the user's checkout would come to, worked out without touching either.
 *
 * I1. Only what has changed since the tree's base is merged: what was carried over into it is the user's and stays so.
 * I2. Nothing is offered that would change a file which differs from the checkout's commit, or is in none.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { MergeWay, TreeCollected, TreePlan, TreeWeighed } from "../../machines/worktree/tree.ts";
import { lstatAt } from "../base/stat-at.ts";
import type { Git } from "./git.ts";
import { listed, ourselves } from "./git.ts";
import { NOT_INTO_REPOSITORIES } from "./repositories.ts";
import { inTurn } from "./turns.ts";

export type MergeWords = { message: string };
type Tree = { ok: true; tree: string } | { ok: false; files: string[] };

const blocked = (why: string, files: string[] = []): TreeWeighed => ({ is: "blocked", why, files });

export const weighMerge = (
  git: Git,
  plan: TreePlan,
  left: TreeCollected,
  way: MergeWay,
  words: MergeWords,
): Promise<TreeWeighed> => inTurn(plan.checkout, () => weighed(git, plan, left, way, words));

async function weighed(
  git: Git,
  plan: TreePlan,
  left: TreeCollected,
  way: MergeWay,
  { message }: MergeWords,
): Promise<TreeWeighed> {
  if (left.unfinished !== null) return blocked(`the tree cannot be merged: ${left.unfinished}`);
  const into = git.at(plan.checkout);
  const branch = (await into.run(["symbolic-ref", "-q", "HEAD"], { codes: [1] })).stdout.toString().trim();
  if (plan.onto === null) return blocked("no branch was checked out when the tree was made");
  if (branch !== plan.onto) return blocked(`${plan.checkout} is no longer on ${shortOf(plan.onto)}`);
  const tip = await into.line(["rev-parse", "--verify", "HEAD^{commit}"]);
  const gitDir = await into.line(["rev-parse", "--absolute-git-dir"]);
  const busy = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];
  if (busy.some((name) => existsSync(join(gitDir, name))))
    return blocked(`${plan.checkout} is in the midst of a merge`);
  const made = await resultOf(into, { plan, left, way, tip, message: `${message}\n` });
  if ("files" in made) return { is: "conflicted", files: made.files };
  const files = await into.list(["diff-tree", "-r", "-z", "--name-only", "--no-renames", tip, made.commit]);
  const own = await ownFilesOf(into, tip, files);
  if (own.length > 0) return blocked("the checkout has changes of its own in the same files", own);
  return { is: "mergeable", tip, result: made.commit, files };
}

/** Of these files, those that the user has changed there and not committed (I2). */
async function ownFilesOf(into: Git, tip: string, files: readonly string[]): Promise<string[]> {
  const status = await into.list(["status", "--porcelain=v1", "-z", "-uno", "--no-renames", NOT_INTO_REPOSITORIES]);
  const changed = new Set(status.map((entry) => entry.slice(3)));
  // Files that git is told not to look at: `assume-unchanged` in small letters, `skip-worktree` as S.
  for (const entry of await into.list(["ls-files", "-v", "-z"]))
    if (/^[a-zS] /.test(entry)) changed.add(entry.slice(2));
  const known = new Set(await into.list(["ls-tree", "-r", "-z", "--name-only", tip]));
  return files.filter((name) => changed.has(name) || (!known.has(name) && isTaken(into.cwd, name)));
}

/** Something stands there, or in the place of one of its folders. */
function isTaken(top: string, name: string): boolean {
  const parts = name.split("/");
  if (lstatAt(join(top, name)) !== undefined) return true;
  return parts.some((_, at) => {
    if (at === 0) return false;
    const stat = lstatAt(join(top, ...parts.slice(0, at)));
    return stat !== undefined && !stat.isDirectory();
  });
}

type Merge = { plan: TreePlan; left: TreeCollected; way: MergeWay; tip: string; message: string };
type Made = { commit: string } | { files: string[] };

async function resultOf(git: Git, merge: Merge): Promise<Made> {
  const { plan, left, way, tip, message } = merge;
  const env = await writerOf(git);
  switch (way) {
    case "squash": {
      const merged = await mergedAll(git, merge);
      if (!merged.ok) return { files: merged.files };
      if (await isTree(git, tip, merged.tree)) return { commit: tip };
      return { commit: await git.line(["commit-tree", merged.tree, "-p", tip], { env, input: message }) };
    }
    case "rebase":
      return replayed(git, { ...merge, onto: tip });
    case "merge": {
      // A snapshot of what the user had not committed is no part of any history.
      const isSnapshot = plan.base !== plan.head && !(await isAncestor(git, plan.base, tip));
      const side = isSnapshot ? await replayed(git, { ...merge, onto: plan.head }) : { commit: left.head };
      if ("files" in side) return side;
      const merged = await mergedAll(git, merge);
      if (!merged.ok) return { files: merged.files };
      const parents = ["-p", tip, "-p", side.commit];
      return { commit: await git.line(["commit-tree", merged.tree, ...parents], { env, input: message }) };
    }
    default:
      return way satisfies never;
  }
}

/**
 * All that the step has changed, on top of the branch. Where the branch was merged into the tree meanwhile, conflicts
 * resolved there, what came with that is no change of the step's: it counts to the base.
 */
async function mergedAll(git: Git, { plan, left, tip }: Merge): Promise<Tree> {
  const shared = (await git.run(["merge-base", tip, left.head], { codes: [1] })).stdout.toString().trim();
  const isBrought = shared !== "" && !(await isAncestor(git, shared, plan.base));
  if (!isBrought) return mergedTree(git, plan.base, tip, left.head);
  const base = await mergedTree(git, plan.head, plan.base, shared);
  return base.ok ? mergedTree(git, base.tree, tip, left.head) : base;
}

/** Its commits done again, one after another; of a merge in it, what it changed of its first parent. */
async function replayed(git: Git, { plan, left, onto }: Merge & { onto: string }): Promise<Made> {
  const list = (await git.run(["rev-list", "--reverse", "--first-parent", `${plan.base}..${left.head}`])).stdout;
  const env = await writerOf(git);
  let at = onto;
  for (const commit of list
    .toString()
    .split("\n")
    .filter((line) => line !== "")) {
    const merged = await mergedTree(git, `${commit}^1`, at, commit);
    if (!merged.ok) return { files: merged.files };
    if (await isTree(git, at, merged.tree)) continue;
    const said = (await git.run(["show", "-s", "--format=%an%x00%ae%x00%aI%x00%B", commit])).stdout.toString();
    const [name = "", email = "", date = "", ...body] = said.split("\0");
    const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
    const call = { env: { ...env, ...author }, input: body.join("\0") };
    at = await git.line(["commit-tree", merged.tree, "-p", at], call);
  }
  return { commit: at };
}

const isAncestor = async (git: Git, of: string, commit: string): Promise<boolean> =>
  (await git.run(["merge-base", "--is-ancestor", of, commit], { codes: [1] })).code === 0;
const isTree = async (git: Git, commit: string, tree: string): Promise<boolean> =>
  (await git.line(["rev-parse", `${commit}^{tree}`])) === tree;

/** A merge of three trees. Git 2.38 takes its base from the history: it is given one that says so. */
async function mergedTree(git: Git, base: string, ours: string, theirs: string): Promise<Tree> {
  const commit = async (of: string, parents: readonly string[]): Promise<string> =>
    git.line(["commit-tree", `${of}^{tree}`, ...parents.flatMap((one) => ["-p", one]), "-m", "."], {
      env: ourselves("1000000000"),
    });
  const root = await commit(base, []);
  const sides = [await commit(ours, [root]), await commit(theirs, [root])];
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ...sides];
  const end = await git.run(args, { codes: [1] });
  const [tree = "", ...files] = listed(end.stdout);
  return end.code === 0 ? { ok: true, tree } : { ok: false, files: files.filter((name) => name !== "") };
}

/** The user, where git knows them; else ourselves. */
async function writerOf(git: Git): Promise<{ [name: string]: string }> {
  const end = await git.run(["var", "GIT_COMMITTER_IDENT"], { codes: [128] });
  if (end.code === 0) return {};
  const { GIT_AUTHOR_DATE: _, GIT_COMMITTER_DATE: __, ...names } = ourselves("1000000000");
  return names;
}

export const shortOf = (ref: string): string => ref.replace(/^refs\/heads\//, "");
