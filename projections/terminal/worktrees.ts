/** Worktrees on the terminal: a table of them, and what is asked before one is merged. */
import { paint } from "./paint.ts";
import { safeConsent, safeLine } from "./safe.ts";
import { type TableOptions, table } from "./tables.ts";

export type WorktreeView = {
  id: string;
  path: string;
  branch: string;
  onto: string | null;
  checkout: string;
  changed: readonly string[];
  uncommitted: readonly string[];
  commits: number;
  suspect: readonly string[];
  status: string | null;
};
type Question = { about: "configuration" | "merge"; files: readonly string[]; tree: WorktreeView };

export function worktreesTable(trees: readonly WorktreeView[], { colours, columns }: TableOptions): string[] {
  const paints = paint(colours);
  const rows = trees.map((tree) => [
    safeLine(tree.id),
    tree.suspect.length > 0 ? paints.red("git's configuration has changed") : holds(tree),
    safeLine(tree.onto ?? "no branch"),
    tree.status ?? "unknown",
    safeLine(tree.path),
  ]);
  return table(["WORKTREE", "CHANGES", "ONTO", "RUN", "FOLDER"], rows, paints, columns);
}

function holds({ changed, uncommitted, commits }: WorktreeView): string {
  const files = changed.length === 1 ? "1 file" : `${changed.length} files`;
  const kept = commits === 1 ? "1 commit" : `${commits} commits`;
  return uncommitted.length === 0 ? `${files}, ${kept}` : `${files}, ${kept}, ${uncommitted.length} uncommitted`;
}

/** What a person is asked, with the files that it is about. */
export function worktreeQuestion({ about, files, tree }: Question): string[] {
  const listed = files.map((file) => `  ${safeConsent(file)}`);
  switch (about) {
    case "merge":
      return [
        `Merge ${safeConsent(tree.branch)} into ${safeConsent(tree.onto ?? "no branch")} of ${safeConsent(tree.checkout)}? (y/n)`,
        ...(listed.length === 0 ? ["  nothing would change"] : listed),
      ];
    case "configuration":
      return [
        "These files of the repository's git have changed since the worktree was made. By them git can be made to run programs. Go on? (y/n)",
        ...listed,
      ];
    default:
      return about satisfies never;
  }
}
