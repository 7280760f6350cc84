/** A place for real processes of the built program: a workspace with workflows, a home, a store of its own. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { scanProcesses } from "../../actors/process/table.ts";
import type { Exchange } from "../../machines/exchange.ts";
import { compiled } from "./compiled.ts";
import { Started } from "./started.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
export const PROGRAM = join(PROJECT, "dist", "troupe.js");
const FIXTURES = join(PROJECT, "test", "fixtures");

export type House = {
  root: string;
  cwd: string;
  /** The environment of its processes: no trust, no state but the house's own. */
  env: { [name: string]: string };
  store: string;
  /** `node`: options of Node itself. */
  troupe(args: readonly string[], env?: { [name: string]: string }, node?: readonly string[]): Started;
  /** Ends what still runs and removes everything. */
  leave(): Promise<void>;
};

/** Workflows are files below test/fixtures. */
export function openHouse(workflows: readonly string[]): House {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} does not exist: build it first, with npm run build`);
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-house-")));
  const cwd = join(root, "work");
  const home = join(root, "home");
  mkdirSync(join(cwd, ".troupe", "workflows"), { recursive: true });
  mkdirSync(home);
  for (const file of workflows) copyFileSync(join(FIXTURES, file), join(cwd, ".troupe", "workflows", basename(file)));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: root,
    TROUPE_HOME: join(home, "troupe"),
    ...compiled(),
  };
  const started: Started[] = [];
  return {
    root,
    cwd,
    env,
    store: join(home, "troupe", "troupe.db"),
    troupe: (args, extra = {}, node = []) => {
      const one = new Started([process.execPath, ...node, PROGRAM, ...args], { cwd, env: { ...env, ...extra } });
      started.push(one);
      return one;
    },
    leave: async () => {
      for (const one of started) one.kill();
      await Promise.all(started.map((one) => one.ended));
      for (const pid of started.flatMap(({ owner }) => childrenOf(owner))) kill(pid);
      // What was killed may have written a moment ago.
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
    },
  };
}

/** Makes the workspace a repository with a commit, on the branch `main`. */
export function inRepository({ cwd, env }: Pick<House, "cwd" | "env">): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd, env });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
}

/** As `kill -9`; it may have ended since it was found. */
export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Pids of the processes that carry this owner's marker and run, whatever their parent is now. */
export function childrenOf(owner: string): number[] {
  return scanProcesses(null)
    .filter((row) => row.owner === owner)
    .map((row) => row.pid)
    .sort((a, b) => a - b);
}

/** The whole log of a session as it is committed in the store. */
export function storedRows(store: string, session: string): Exchange[] {
  const database = new DatabaseSync(store);
  try {
    const rows = database
      .prepare("select seq, at, row from log where session=(select n from session where id=?) order by seq")
      .all(`session/${session}`);
    return rows.map(({ seq, at, row }) => ({ seq, at, ...JSON.parse(row as string) }) as Exchange);
  } finally {
    database.close();
  }
}
/** The sessions of a store, in the order in which they were opened. */
export function storedSessions(store: string): string[] {
  const database = new DatabaseSync(store);
  try {
    const rows = database.prepare("select id from session order by created, id").all();
    return rows.map(({ id }) => (id as string).slice("session/".length));
  } finally {
    database.close();
  }
}
