/**
 * A merge that was weighed is done: the checkout's branch goes forward, and its files with it.
 *
 * I1. Nothing is forced: git itself refuses where a file is not as it was, ignored ones included.
 * I2. Asked for again after it was cut off, it finds itself done, or finishes.
 * I3. Where the checkout moves on meanwhile, nothing of it stays there: it is weighed anew against what stands there then.
 */
import type { MergeWay, TreeCollected, TreePlan, TreeWeighed } from "../../machines/worktree/tree.ts";
import { troupeError } from "../errors/troupe-error.ts";
import type { Git } from "./git.ts";
import { NOT_INTO_REPOSITORIES } from "./repositories.ts";
import { inTurn } from "./turns.ts";
import { type MergeWords, weighMerge } from "./weigh.ts";

type Mergeable = Extract<TreeWeighed, { is: "mergeable" }>;

const MOVED_ON = "the checkout has moved on meanwhile";
type Weighing = { left: TreeCollected; way: MergeWay; words: MergeWords };

/**
 * The merge as it was weighed, and agreed to. Where the checkout has moved on since, by another merge of this run maybe, it
 * is weighed anew: with the same files it may be done at once, else a person sees why it is not.
 */
export async function applyWeighed(
  git: Git,
  plan: TreePlan,
  weighed: Mergeable,
  { left, way, words }: Weighing,
): Promise<{ merged: true } | { weighed: TreeWeighed }> {
  const refused = await applyMerge(git, plan, weighed);
  if (refused === null) return { merged: true };
  if (refused === MOVED_ON) {
    const again = await weighMerge(git, plan, left, way, words);
    const isSame = again.is === "mergeable" && JSON.stringify(again.files) === JSON.stringify(weighed.files);
    if (isSame || again.is === "conflicted") return { weighed: again };
  }
  return { weighed: { is: "blocked", why: refused, files: weighed.files } };
}

/** Null where it is done; else why it is not, and then nothing has been. */
export const applyMerge = (git: Git, plan: TreePlan, weighed: Mergeable): Promise<string | null> =>
  inTurn(plan.checkout, () => applied(git.at(plan.checkout), plan, weighed));

async function applied(into: Git, plan: TreePlan, weighed: Mergeable): Promise<string | null> {
  const { tip, result, files } = weighed;
  const isDone = await into.run(["merge-base", "--is-ancestor", result, "HEAD"], { codes: [1] });
  if (isDone.code === 0) return null;
  const branch = (await into.run(["symbolic-ref", "-q", "HEAD"], { codes: [1] })).stdout.toString().trim();
  if (branch !== plan.onto) return MOVED_ON;
  await finishCutOff(into, result, files);
  try {
    if ((await headOf(into)) === tip) {
      await into.run(["merge", "-q", "--ff-only", "--no-overwrite-ignore", "--no-stat", result]);
      return null;
    }
  } catch (error) {
    if ((await headOf(into)) === tip) return troupeError(error).message;
  }
  await takeBack(into, weighed);
  return MOVED_ON;
}

const headOf = (into: Git): Promise<string> => into.line(["rev-parse", "--verify", "HEAD^{commit}"]);

/** I3: files that are as the merge has written them become what they were. Git leaves alone what is otherwise. */
async function takeBack(into: Git, { tip, result, files }: Mergeable): Promise<void> {
  const since = new Set(await into.list(["diff-tree", "-r", "-z", "--name-only", "--no-renames", tip, "HEAD"]));
  if (files.some((name) => since.has(name))) return; // they may be so by what has come since
  await into.run(["read-tree", "-m", "-u", result, tip], { codes: [128] });
}

/** A merge that was cut off has written files that the index does not know yet: they are what they are to become. */
async function finishCutOff(into: Git, result: string, files: readonly string[]): Promise<void> {
  const dirty = new Set(await into.list(["diff-files", "-z", "--name-only", NOT_INTO_REPOSITORIES]));
  const others = new Set(await into.list(["ls-files", "-o", "-z"]));
  const written: string[] = [];
  for (const name of files.filter((each) => dirty.has(each) || others.has(each))) {
    const wanted = (await into.run(["ls-tree", "-z", result, "--", name])).stdout.toString().split(/[\t ]/)[2] ?? "";
    const there = await into.run(["hash-object", "--", name], { codes: [128] });
    const isGone = there.code !== 0;
    if (isGone ? wanted === "" : there.stdout.toString().trim() === wanted) written.push(name);
  }
  if (written.length === 0) return;
  await into.run(["update-index", "-q", "--add", "--remove", "-z", "--stdin"], { input: `${written.join("\0")}\0` });
}
