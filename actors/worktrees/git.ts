/**
 * Git as we call it: in a repository whose configuration may name programs.
 *
 * I1. No hook, no watcher of files, no driver of a diff or merge and no pager runs, whatever is configured; nothing is
 *     fetched, signed, collected or asked. What a repository within configures stays out of it (`repositories.ts`).
 * I2. It gets the environment of an agent and nothing that would lead it to another repository. Git itself is looked for
 *     in the absolute entries of PATH alone: it runs before its user trusts the folder, which may hold a `git` of its own.
 * I3. Only what is asked for is written: no index is refreshed on the way.
 */
import { delimiter, isAbsolute } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Environment } from "../base/user-folders.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { agentEnvironment } from "../process/environment.ts";
import { type ProgramEnd, runProgram } from "../process/run-program.ts";

export type GitOptions = {
  environment: Environment;
  /** By which a process finds again what a dead one has left running. */
  marker?: { readonly [name: string]: string };
};
export type GitCall = {
  input?: string;
  env?: { [name: string]: string };
  /** Ends that are no fault, besides 0. */
  codes?: readonly number[];
};
export type Git = {
  readonly cwd: string;
  /** Rejects with EXECUTION.WORKTREE.FAILED where it ends otherwise. */
  run(args: readonly string[], call?: GitCall): Promise<ProgramEnd>;
  /** Its first line. */
  line(args: readonly string[], call?: GitCall): Promise<string>;
  /** What it lists with NULs. */
  list(args: readonly string[], call?: GitCall): Promise<string[]>;
  /** The same git elsewhere. `dirs`: the directory of git itself, where its pointer in the tree is not to be believed. */
  at(cwd: string, dirs?: { gitDir: string }): Git;
};

const SETTINGS: { readonly [name: string]: string } = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.untrackedCache": "false",
  "core.splitIndex": "false",
  "core.safecrlf": "false",
  "core.pager": "cat",
  "core.sshCommand": "false",
  "core.editor": "false",
  "protocol.allow": "never",
  "submodule.recurse": "false",
  "commit.gpgSign": "false",
  "merge.autoStash": "false",
  "merge.default": "text",
  "merge.renormalize": "false",
  "merge.verifySignatures": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "advice.addEmbeddedRepo": "false",
};
/** Git reads the directories of all trees, and fails where another process just makes one. */
export const HALF_MADE = /failed to read .*worktrees.*commondir/;
/** So often it is tried. */
export const PATIENCE = 10;
const OURS = { NAME: "Troupe", EMAIL: "troupe@localhost" };

/** Who writes a commit that no person asked for. `at`: seconds since the epoch, so that the same content is the same commit. */
export const ourselves = (at: string): { [name: string]: string } => ({
  GIT_AUTHOR_NAME: OURS.NAME,
  GIT_AUTHOR_EMAIL: OURS.EMAIL,
  GIT_AUTHOR_DATE: `@${at} +0000`,
  GIT_COMMITTER_NAME: OURS.NAME,
  GIT_COMMITTER_EMAIL: OURS.EMAIL,
  GIT_COMMITTER_DATE: `@${at} +0000`,
});

/** Where none is left, what systems have: an empty PATH would be the folder that git works in. */
const absoluteEntries = (path = ""): string =>
  path.split(delimiter).filter(isAbsolute).join(delimiter) || "/usr/local/bin:/usr/bin:/bin";

/** Git in a folder. Drivers of merges that are configured count as conflicts: they are looked up once. */
export function gitIn(cwd: string, { environment, marker = {} }: GitOptions): Git {
  const base = {
    ...agentEnvironment(environment, {}),
    PATH: absoluteEntries(environment["PATH"]),
    ...marker,
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_PAGER: "cat",
  };
  let drivers: Promise<string[]> | undefined;
  const called = (at: string, settings: [string, string][], dirs: { gitDir: string } | undefined) => {
    return (args: readonly string[], call: GitCall = {}): Promise<ProgramEnd> => {
      const given: { [name: string]: string } = { GIT_CONFIG_COUNT: String(settings.length) };
      for (const [index, [name, value]] of settings.entries()) {
        given[`GIT_CONFIG_KEY_${index}`] = name;
        given[`GIT_CONFIG_VALUE_${index}`] = value;
      }
      const places = dirs === undefined ? {} : { GIT_DIR: dirs.gitDir, GIT_WORK_TREE: at };
      const env = { ...base, ...given, ...places, ...call.env };
      return runProgram({
        path: "git",
        args,
        env,
        cwd: at,
        ...(call.input === undefined ? {} : { input: call.input }),
      });
    };
  };
  const here = (at: string, dirs?: { gitDir: string }): Git => {
    const run = async (args: readonly string[], call: GitCall = {}): Promise<ProgramEnd> => {
      drivers ??= driversOf(called(at, Object.entries(SETTINGS), dirs));
      const off = (await drivers).map((name): [string, string] => [name, "false"]);
      const git = called(at, [...Object.entries(SETTINGS), ...off], dirs);
      for (let tries = 1; ; tries++) {
        const end = await git(args, call);
        const isHalfMade = HALF_MADE.test(end.stderr);
        if (!isHalfMade && (end.code === 0 || call.codes?.includes(end.code) === true)) return end;
        // What was begun of a new tree is cleared by its maker, who begins anew.
        if (!isHalfMade || tries === PATIENCE || args[1] === "add") throw gitFault(args, end);
        await setTimeout(tries * 10);
      }
    };
    return {
      cwd: at,
      run,
      line: async (args, call) => (await run(args, call)).stdout.toString().split("\n")[0] ?? "",
      list: async (args, call) => listed((await run(args, call)).stdout),
      at: (other, there) => here(other, there),
    };
  };
  return here(cwd);
}

/** The names in what git lists with NULs. */
export const listed = (bytes: Buffer): string[] => {
  const names = bytes.toString().split("\0");
  return names.at(-1) === "" ? names.slice(0, -1) : names;
};

async function driversOf(run: (args: readonly string[]) => Promise<ProgramEnd>): Promise<string[]> {
  const end = await run(["config", "--name-only", "-z", "--get-regexp", "^merge\\..*\\.driver$"]);
  return end.code === 0 ? listed(end.stdout) : [];
}

export function gitFault(args: readonly string[], { code, stderr }: ProgramEnd): TroupeError {
  if (code === 127) {
    const message = "git is not installed here: a worktree needs git 2.38 or newer";
    return new TroupeError("EXECUTION.WORKTREE.UNSUPPORTED", message);
  }
  const said = stderr.trim().slice(0, 2000);
  return new TroupeError("EXECUTION.WORKTREE.FAILED", `git ${args[0]} failed: ${said || `exit code ${code}`}`);
}
