/**
 * Repositories within a checkout that its index knows, submodules or not.
 *
 * I1. Git is never asked whether their files have changed: it would look by their own configuration, and run what that
 *     names (filters, a watcher).
 */
import type { Git } from "./git.ts";

/** For `git status`: of a repository within, only another commit counts as a change (I1). */
export const NOT_INTO_REPOSITORIES = "--ignore-submodules=dirty";

const LINK = "160000 ";

/** Their paths. */
export const repositoriesIn = async (git: Git): Promise<string[]> =>
  repositoriesOf(await git.list(["ls-files", "-s", "-z"]));

/** Of what `git ls-files -s -z` lists. */
export const repositoriesOf = (staged: readonly string[]): string[] =>
  staged.filter((entry) => entry.startsWith(LINK)).map((entry) => entry.slice(entry.indexOf("\t") + 1));
