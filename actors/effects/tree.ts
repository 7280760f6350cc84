/**
 * The effect `tree`: one git step of a tree of a step's own. What it answers is recorded before the next one begins.
 *
 * I1. Each may be cut off anywhere and asked for again.
 * I2. After the work nothing of git runs in a repository whose configuration is not as it was, but what finds that out.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TreeInput } from "../../machines/contracts.ts";
import { own } from "../../machines/model.ts";
import { isUnchanged, type TreeNews } from "../../machines/worktree/progress.ts";
import { placedIn } from "../../machines/worktree/seen.ts";
import { type MergeWay, type TreePlan, WHOLE_RUN } from "../../machines/worktree/tree.ts";
import { workOf } from "../../machines/worktree/words.ts";
import { limitsOf } from "../base/limits.ts";
import { userFolders } from "../base/user-folders.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { WorkContext } from "../host/host.ts";
import { markerFor } from "../process/marker.ts";
import { collectTree } from "../worktrees/collect.ts";
import { findTree } from "../worktrees/find.ts";
import { type Git, gitIn } from "../worktrees/git.ts";
import { INCLUDE_FILE, includeFiles } from "../worktrees/include.ts";
import { addTree, planTree, removeTree } from "../worktrees/make.ts";
import { applyWeighed } from "../worktrees/merge.ts";
import { portsOf } from "../worktrees/ports.ts";
import { writeRecord } from "../worktrees/records.ts";
import { brokenSeals, sealsNow, sealsOfTree, withoutTree } from "../worktrees/seals.ts";
import { weighMerge } from "../worktrees/weigh.ts";
import { failureOf } from "./command.ts";
import type { EffectOptions } from "./options.ts";
import { Rendering } from "./rendering.ts";
import { runScript } from "./run-script.ts";
import { commandScript, withheldNotice } from "./script.ts";
import { placedEnvironment } from "./tree-environment.ts";
import { warningsOf } from "./warnings.ts";

export function tree(options: EffectOptions): (input: TreeInput, context: WorkContext) => Promise<TreeNews> {
  return async (input, context) => {
    const { plan, made } = input.tree;
    const { environment } = options;
    // A merge that was begun ends by itself: what is left half done of it would stand in the user's checkout.
    const marker = input.do === "apply" ? {} : markerFor(options.owner, context.attempt);
    const git = gitIn(plan?.checkout ?? input.scope.context.WorkingDir, { environment, marker });
    if (input.do === "find") return await found(input, git, context, options);
    if (plan === undefined) return { plan: await planned(input, git, context, options) };
    switch (input.do) {
      case "plan":
      case "add":
        return await added(plan, git, options);
      case "fill":
        return await filled(input, plan, git, context);
      case "set up":
        await setUp(input, context, options);
        return { ready: true };
      case "collect":
      case "weigh":
      case "apply":
      case "clear":
        if (made !== undefined) {
          const seals = await sealsNow(git, plan.common, made.admin);
          const broken = brokenSeals(plan.seals, seals);
          const isGone = input.do === "clear" && !existsSync(plan.path);
          const files = isGone ? withoutTree(broken, plan.common, made.admin) : broken;
          if (files.length > 0) return { suspect: { files, seals } }; // I2
        }
        return await afterWork(input, plan, git, options);
      default:
        return input.do satisfies never;
    }
  };
}

/** Where the file says it. */
const placeOf = ({ step }: TreeInput["origin"], name: string): string =>
  `${step === WHOLE_RUN ? "" : `states.${name}.`}isolation.worktree`;

/** The tree that an earlier step has left; nothing of it is made or changed. */
async function found(
  { isolation, origin, scope, name }: TreeInput,
  git: Git,
  context: WorkContext,
  options: EffectOptions,
) {
  const rendering = new Rendering(scope, options, warningsOf(context, origin));
  const of = rendering.text(isolation.of ?? "", `${placeOf(origin, name)}.of`).trim();
  const left = own(scope.states, of)?.Worktree;
  const branch = left?.branch ?? of;
  if (left !== undefined && branch === "") {
    const why = left.merged
      ? "it was merged"
      : left.changed.length > 0
        ? "it was thrown away"
        : "nothing was changed in it";
    throw new TroupeError("EXECUTION.WORKTREE.NOT_FOUND", `the tree of "${of}" is gone: ${why}`);
  }
  return findTree(git, { branch, said: of, folder: options.config?.().worktreesDir ?? null });
}

function planned(
  { isolation, origin, scope, name }: TreeInput,
  git: Git,
  context: WorkContext,
  options: EffectOptions,
): Promise<TreePlan> {
  const rendering = new Rendering(scope, options, warningsOf(context, origin));
  const from = rendering.text(isolation.from, `${placeOf(origin, name)}.from`);
  const folder = options.config?.().worktreesDir ?? null;
  return planTree(git, { run: origin.run, step: origin.step, from, folder });
}

async function added(plan: TreePlan, git: Git, { environment }: EffectOptions): Promise<TreeNews> {
  const admin = await addTree(git, plan);
  const portBase = await portsOf(join(userFolders(environment).state, "ports"), plan.path);
  const seals = { ...plan.seals, ...(await sealsOfTree(plan.common, admin)) };
  const made = { admin, portBase };
  await writeRecord({ plan: { ...plan, seals }, made });
  return { made, plan: { ...plan, seals } };
}

async function filled({ origin }: TreeInput, plan: TreePlan, git: Git, context: WorkContext): Promise<TreeNews> {
  const left = await includeFiles(git, plan, context.signal);
  if (left.length > 0) {
    const names = `${left.slice(0, 10).join(", ")}${left.length > 10 ? ` and ${left.length - 10} more` : ""}`;
    warningsOf(context, origin)(`${INCLUDE_FILE}: not copied, since they lead out of the tree: ${names}`);
  }
  return { filled: true };
}

/** The command that makes a new tree ready. Rejects with EXECUTION.WORKTREE.SETUP_FAILED. */
async function setUp(input: TreeInput, context: WorkContext, options: EffectOptions): Promise<void> {
  const { isolation, origin, name } = input;
  if (isolation.setup === null) return;
  const where = `${placeOf(origin, name)}.setup`;
  const { scope } = placedIn({ birth: { scope: input.scope }, tree: input.tree });
  const warn = warningsOf(context, origin);
  const script = commandScript(isolation.setup, where, new Rendering(scope, options, warn));
  const withheld = withheldNotice(where, script);
  if (withheld !== null) warn(withheld);
  const { run, step } = origin;
  const block = (stream: "stdout" | "stderr") =>
    context.text({ type: "tool.update", run, step, block: `${context.attempt}.setup.${stream}`, stream });
  const blocks = { stdout: block("stdout"), stderr: block("stderr") };
  const { maxOutputBytes } = limitsOf(options.limits);
  const end = await runScript({
    script,
    cwd: scope.context.WorkingDir,
    env: placedEnvironment(options.environment, scope),
    marker: markerFor(options.owner, context.attempt),
    signal: context.signal,
    maxOutputBytes,
    onOutput: (stream, text) => blocks[stream].say(text),
  });
  const failure = failureOf(end, maxOutputBytes);
  if (failure !== null) throw new TroupeError("EXECUTION.WORKTREE.SETUP_FAILED", `${where}: ${failure.message}`);
}

async function afterWork(input: TreeInput, plan: TreePlan, git: Git, { clock }: EffectOptions): Promise<TreeNews> {
  const { isolation, tree } = input;
  const { made, left, weighed } = tree;
  if (input.do === "clear" || made === undefined) {
    const isDiscarded = left !== undefined && tree.merged !== true && !isUnchanged(left);
    await removeTree(git, plan, { force: isDiscarded, head: left?.head ?? null });
    return { end: tree.merged === true ? "merged" : isDiscarded ? "discarded" : "unchanged" };
  }
  if (input.do === "collect" || left === undefined) {
    return { left: await collectTree(git, plan, made.admin, String(Math.floor(clock.now() / 1000))) };
  }
  const way = isolation.merge as MergeWay;
  if (input.do === "weigh" || weighed?.is !== "mergeable")
    return { weighed: await weighMerge(git, plan, left, way, { message: workOf(plan) }) };
  return await applyWeighed(git, plan, weighed, { left, way, words: { message: workOf(plan) } });
}
