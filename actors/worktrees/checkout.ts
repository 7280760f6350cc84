/**
 * The checkout that worktrees are made of: where it is, what it stands on, and whether it can have any.
 *
 * I1. What cannot be kept whole is refused with what to do: no repository, no commit yet, submodules, repositories
 *     within, files of LFS.
 * I2. A checkout that takes its configuration from elsewhere is refused before git looks at a file of it: git never makes
 *     such a one, but who can write into its directory can, and filters would run.
 */
import { lstat, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Git } from "./git.ts";
import { repositoriesOf } from "./repositories.ts";

export type Checkout = {
  /** Its folder, absolute. */
  top: string;
  /** From there to where one stands, with a slash at its end, or empty. */
  prefix: string;
  /** The directory of this checkout, and the one that all trees of the repository share. */
  gitDir: string;
  common: string;
  head: string;
  /** `refs/heads/…`; null where no branch is checked out. */
  branch: string | null;
  /** The folder after which the folder of its trees is named. */
  repository: string;
};

const LEAST = [2, 38] as const;

/** Git's words for a repository of another user. */
const DUBIOUS = /^fatal: detected dubious ownership in repository at '(.+)'$/;
const quoted = (path: string): string => (/^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

const refuse = (message: string): TroupeError => new TroupeError("EXECUTION.WORKTREE.UNSUPPORTED", message);

const movedAway = (gitDir: string, common: string): string =>
  `${join(gitDir, "commondir")} says that the repository's configuration is elsewhere, in ${common}, which git itself never writes: remove that file where you did not make it`;

type Place = Omit<Checkout, "head" | "branch">;

/** Throws EXECUTION.WORKTREE.UNSUPPORTED where a tree cannot be made here. */
export async function checkoutOf(git: Git): Promise<Checkout> {
  const place = await placeOf(git);
  const head = (await git.run(["rev-parse", "--verify", "-q", "HEAD^{commit}"], { codes: [1, 128] })).stdout;
  if (head.length === 0) throw refuse(`${place.top} has no commit yet, which isolation: worktree needs: commit once`);
  const branch = (await git.run(["symbolic-ref", "-q", "HEAD"], { codes: [1] })).stdout.toString().trim();
  return { ...place, head: head.toString().trim(), branch: branch || null };
}

/** What is thrown where there can be no tree; `why`: git's words outside of a repository, null where the path has a line break. */
export type Outside = (cwd: string, why: string | null) => TroupeError;
const noneToIsolate: Outside = (cwd, why) =>
  refuse(
    why === null
      ? `the path of ${cwd} has a line break, which isolation: worktree does not carry over: move it, or run the step without it`
      : `${cwd} is no checkout of a git repository, which isolation: worktree needs: ${why}`,
  );

/** Where it is, of one without a commit too. Throws EXECUTION.WORKTREE.UNSUPPORTED where it can have no tree whatever it holds. */
export async function placeOf(git: Git, outside = noneToIsolate): Promise<Place> {
  const version = await git.line(["version"]);
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number);
  if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1]))
    throw refuse(`worktrees need git ${LEAST.join(".")} or newer; here is ${version}`);
  const asked = [
    "--show-toplevel",
    "--show-prefix",
    "--absolute-git-dir",
    "--path-format=absolute",
    "--git-common-dir",
  ];
  const end = await git.run(["rev-parse", ...asked], { codes: [128] });
  const [top = "", prefix = "", gitDir = "", common = "", ...rest] = end.stdout.toString().split("\n");
  if (end.code === 0 && (common === "" || rest.join("") !== "")) throw outside(git.cwd, null);
  if (end.code !== 0) {
    const why = end.stderr.trim().split("\n")[0] ?? "";
    const others = DUBIOUS.exec(why)?.[1];
    if (others !== undefined)
      throw refuse(
        `git does not work in ${others}, since it belongs to another user: where you believe what is in it, git config --global --add safe.directory ${quoted(others)}`,
      );
    throw outside(git.cwd, why);
  }
  if (gitDir !== common && dirname(gitDir) !== join(common, "worktrees")) throw refuse(movedAway(gitDir, common));
  return { top, prefix, gitDir, common, repository: basename(common) === ".git" ? dirname(common) : common };
}

/** Throws EXECUTION.WORKTREE.UNSUPPORTED where something of the checkout could not be carried over. */
export async function checkWhole(git: Git, { top, common }: Checkout): Promise<void> {
  const staged = await git.list(["ls-files", "-s", "-z"]);
  if (repositoriesOf(staged).length > 0 || (await lstat(join(top, ".gitmodules")).catch(() => null)) !== null)
    throw refuse(`${top} has submodules, which isolation: worktree does not carry over: run the step without it`);
  const others = await git.list(["ls-files", "-o", "-z", "--exclude-standard"]);
  const within = others.find((name) => name.endsWith("/"));
  if (within !== undefined)
    throw refuse(
      `${join(top, within)} is a repository within the repository: ignore it in .gitignore, or move it away`,
    );
  const names = [...staged.map((entry) => entry.slice(entry.indexOf("\t") + 1)), ...others];
  const attributes = names.filter((name) => basename(name) === ".gitattributes").map((name) => join(top, name));
  for (const file of [...attributes, join(common, "info", "attributes")]) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (/^[^#]*\bfilter=lfs\b/m.test(text))
      throw refuse(
        `${file} keeps files in Git LFS, which isolation: worktree does not carry over: run the step without it`,
      );
  }
  const taken = await git.run(["show-ref", "--verify", "-q", "refs/heads/troupe"], { codes: [1] });
  if (taken.code === 0)
    throw refuse('a branch is called "troupe", so that none can be called troupe/…: rename it, git branch -m troupe …');
}
