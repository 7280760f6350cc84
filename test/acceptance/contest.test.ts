/**
 * `docs/examples/worktrees.yaml`: three agents in three trees, a judge, and the winner merged.
 *
 * C1. The winner's work is merged after a person has said so in the editor; what the user had not committed stays.
 * C2. The trees of the others stay, with their branches.
 * C3. `kill -9` before and after a git step: resumed, it comes to the same tree. `TROUPE_KILL_SERIES=1` tries all of them.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { played, WINNER, writeContest } from "../support/contest.ts";
import { type House, inRepository, openHouse, storedRows, storedSessions } from "../support/house.ts";

/** In each branch plan, add, fill, set up, the agent, collect; then the diff and the judge. */
const BEFORE_MERGE = 3 * 6 + 2;
/** find, collect, weigh, apply, clear. */
const MERGE = 5;
const [FIND, APPLY] = [BEFORE_MERGE + 1, BEFORE_MERGE + 4];
const EVERY = process.env["TROUPE_KILL_SERIES"] !== undefined;
const MOMENTS = (EVERY ? ["work.before", "work.result"] : ["work.result"]).flatMap((name) =>
  Array.from({ length: BEFORE_MERGE + MERGE }, (_, at) => at + 1)
    .filter((at) => EVERY || at === FIND || at === APPLY)
    .map((at) => `${name}:${at}`),
);

let house: House;
const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: house.cwd, env: house.env, encoding: "utf8" }).trim();
beforeEach(() => {
  house = openHouse([]);
});
afterEach(() => house.leave());

function begin(merge: { [name: string]: unknown } = {}): void {
  writeContest(house, { agents: played, merge });
  writeFileSync(join(house.cwd, "greet.txt"), "Hello\n");
  inRepository(house);
  writeFileSync(join(house.cwd, "mine"), "not committed\n");
}
const branches = (): string[] => git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");

function expectMerged(run: string): void {
  expect(git("show", "main:greet.txt")).toBe(WINNER);
  expect(git("log", "--format=%s", "main").split("\n")).toEqual([`Work of step contest/second of run ${run}`, "first"]);
  expect(git("diff", "--name-only", "main~1", "main")).toBe("greet.txt");
  expect(git("status", "--porcelain")).toBe("?? mine");
  expect(branches()).toEqual(["main", `troupe/${run}/contest+first`, `troupe/${run}/contest+third`]);
}
const runOf = (): string => {
  const [session = ""] = storedSessions(house.store);
  return storedRows(house.store, session).find(({ type }) => type === "run.started")?.run ?? "";
};

test("in an editor: the winner is merged when it is agreed to (C1, C2)", async () => {
  begin();
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  const asked: unknown[] = [];
  editor.decide = ({ toolCall, options }) => {
    asked.push(toolCall["title"]);
    expect(git("show", "main:greet.txt")).toBe("Hello");
    return options.find(({ kind }) => kind === "allow_once")?.optionId ?? null;
  };
  await editor.initialize();
  const session = await editor.open(house.cwd);
  expect(await editor.prompt(session, "/contest task=greet")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(asked).toEqual([expect.stringContaining("Merge the work of contest/second into main?")]);
  await editor.leave();
  expect(faultsOf(editor.trace)).toEqual([]);
  expectMerged(runOf());
  const rows = storedRows(house.store, session);
  const warned = rows.flatMap(({ type, payload }) => (type === "notice" && "severity" in payload ? [payload] : []));
  expect(warned.filter(({ severity }) => severity === "warning").map(({ message }) => message)).toEqual([
    'several branches of "contest" have changed the same files: greet.txt (first, second, third)',
  ]);
  const end = rows.find(({ type }) => type === "run.completed");
  expect(end?.payload).toMatchObject({ message: "The second was picked, and is merged: It is the shortest." });
});

test.each(MOMENTS)("killed at %s (C3)", async (moment) => {
  begin({ approve: false });
  const args = ["run", "contest", "--trust", "--allow-merge", "-i", "task=greet"];
  expect(await house.troupe(args, { TROUPE_FAILPOINT: moment }).ended).toMatchObject({ signal: "SIGKILL" });
  const run = runOf();
  const resumed = house.troupe(["resume", run, "--recover=rerun"]);
  expect({ ...(await resumed.ended), said: resumed.stderr }).toEqual({ code: 0, signal: null, said: "" });
  expectMerged(run);
});
