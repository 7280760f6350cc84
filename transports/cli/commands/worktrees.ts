/** `troupe worktrees`: the trees that steps have left. */
import {
  TroupeError,
  type Worktree,
  type WorktreeQuestion,
  type Worktrees,
  worktrees,
} from "../../../actors/troupe.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import { worktreeQuestion, worktreesTable } from "../../../projections/terminal/worktrees.ts";
import { type CommandContext, type Io, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { showFolder } from "../open-page.ts";
import { withTroupe } from "../with-troupe.ts";

export type MergeFlags = { as: "squash" | "merge" | "rebase"; yes?: boolean };
export type RemoveFlags = { branch?: boolean };

/** Carries out `ask`; writes its answer as JSON, or the lines for it. */
function answer<T>(
  { io, format }: CommandContext,
  ask: (trees: Worktrees) => Promise<T>,
  lines: (answer: T) => readonly string[],
): Promise<number> {
  return withTroupe(io, async (troupe) => {
    const { worktreesOf } = await worktrees();
    const answered = await ask(worktreesOf(troupe, { cwd: io.cwd, environment: io.env }));
    if (format === "json") writeJson(io, answered);
    else writeLines(io, lines(answered));
    return 0;
  });
}

export const listWorktrees = (context: CommandContext): Promise<number> =>
  answer(
    context,
    (trees) => trees.list(),
    (trees) =>
      trees.length === 0
        ? ["There are no worktrees of steps here: one without a change goes by itself."]
        : worktreesTable(trees, context.io),
  );

export const openWorktree = (context: CommandContext, name: string): Promise<number> =>
  answer(
    context,
    async (trees) => {
      const tree = await trees.find(name);
      if (context.io.asks && context.format === "text") showFolder(context.io, tree.path);
      return tree;
    },
    ({ path }) => [safeLine(path)],
  );

export const mergeWorktree = (context: CommandContext, name: string, { as, yes = false }: MergeFlags) =>
  answer(
    context,
    (trees) => trees.merge(name, { merge: as, agree: asker(context.io, yes) }),
    (tree) => [`${safeLine(tree.id)} is merged into ${safeLine(tree.onto ?? "")}: ${namesOf(tree)}`],
  );

export const removeWorktree = (context: CommandContext, name: string, { branch = false }: RemoveFlags) =>
  answer(
    context,
    (trees) => trees.remove(name, { branch, agree: asker(context.io, false) }),
    ({ tree, branch: kept }) => [
      `${safeLine(tree.id)} is removed${kept === null ? "" : `; what it has committed stays on the branch ${safeLine(kept)}`}.`,
    ],
  );

const namesOf = ({ changed }: Worktree): string =>
  safeLine(changed.length === 0 ? "no file" : changed.slice(0, 5).join(", ")) +
  (changed.length > 5 ? ` and ${changed.length - 5} more` : "");

/** `yes`: the user has agreed to a merge on the command line; never to another configuration of git. */
function asker(io: Io, yes: boolean): (question: WorktreeQuestion) => Promise<boolean> {
  return async (question) => {
    if (yes && question.about === "merge") return true;
    if (!io.asks) {
      throw new TroupeError("USER.CLI.USAGE", unasked(question), { worktree: question.tree.id });
    }
    io.err(`${worktreeQuestion(question).join("\n")}\n`);
    const said = await io.readLine(new AbortController().signal);
    return /^\s*y(es)?\s*$/i.test(said ?? "");
  };
}

/** What is to be done where nobody can be asked. */
function unasked({ about, files, tree: { branch } }: WorktreeQuestion): string {
  switch (about) {
    case "merge":
      return `nobody is here to say yes, and nothing was merged: look at it, \`git diff ...${safeLine(branch)}\`, then pass --yes`;
    case "configuration":
      return `nobody is here to say whether git may go by files that have changed since the worktree was made, and nothing was done: look at ${safeLine(files.join(", "))}, then ask from a terminal`;
    default:
      return about satisfies never;
  }
}
