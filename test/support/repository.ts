/** A git repository of a test's own, in a scratch folder, and everything that is the user's in it. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type Repository = {
  folder: string;
  top: string;
  environment: { [name: string]: string };
  git(...args: string[]): string;
};

/** An empty one on the branch `main`; its HOME is in the same scratch folder. Its caller takes `folder` away. */
export function newRepository(): Repository {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "troupe-trees-")));
  const top = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(top);
  mkdirSync(home);
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n",
  );
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home, TROUPE_HOME: join(folder, "state") };
  const git = (...args: string[]): string => gitIn(top, environment, args);
  git("init", "-q", "-b", "main");
  return { folder, top, environment, git };
}

export const gitIn = (cwd: string, env: { [name: string]: string }, args: readonly string[]): string =>
  execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

export function put(top: string, name: string, text: string): void {
  mkdirSync(dirname(join(top, name)), { recursive: true });
  writeFileSync(join(top, name), text);
}

/** Every file below a folder with its mode and content; of links, where they lead. */
export function filesOf(top: string, leaveOut: readonly string[] = [".git"]): { [name: string]: string } {
  const found: { [name: string]: string } = {};
  const visit = (below: string): void => {
    for (const name of readdirSync(join(top, below)).toSorted()) {
      const path = below === "" ? name : `${below}/${name}`;
      if (leaveOut.includes(path)) continue;
      const stat = lstatSync(join(top, path));
      if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(join(top, path))}`;
      else if (stat.isDirectory()) visit(path);
      else found[path] = `${(stat.mode & 0o777).toString(8)} ${digest(readFileSync(join(top, path)))}`;
    }
  };
  visit("");
  return found;
}

/** What is the user's: the tree, the index, every reference but ours, HEAD, the configuration, the stash. */
export function usersOwn({ top, git }: Repository): { [name: string]: unknown } {
  const refs = git("for-each-ref", "--format=%(refname) %(objectname)").split("\n");
  return {
    files: filesOf(top),
    index: digest(readFileSync(join(top, ".git/index"))),
    refs: refs.filter((line) => !/^refs\/(troupe|heads\/troupe)\//.test(line)),
    head: readFileSync(join(top, ".git/HEAD"), "utf8"),
    config: readFileSync(join(top, ".git/config"), "utf8"),
  };
}

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
