/** `kill -9` before and after every git step of a step's tree: resumed, it comes to the same checkout and leaves nothing. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, inRepository, openHouse, storedRows, storedSessions } from "../support/house.ts";

/** plan, add, fill, set up, the work itself, collect, weigh, apply, clear. */
const WORKS = 9;
const MOMENTS = ["work.before", "work.result"].flatMap((name) =>
  Array.from({ length: WORKS }, (_, at) => `${name}:${at + 1}`),
);

let house: House;
const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: house.cwd, env: house.env, encoding: "utf8" }).trim();
beforeEach(() => {
  house = openHouse(["walked/merged.yaml"]);
  inRepository(house);
  writeFileSync(join(house.cwd, "mine"), "not committed\n");
});
afterEach(() => house.leave());

test.each(MOMENTS)("%s", async (moment) => {
  const killed = house.troupe(["run", "merged", "--trust", "--allow-merge"], { TROUPE_FAILPOINT: moment });
  expect(await killed.ended).toMatchObject({ signal: "SIGKILL" });
  const [session = ""] = storedSessions(house.store);
  const run = storedRows(house.store, session).find(({ type }) => type === "run.started")?.run ?? "";
  const resumed = house.troupe(["resume", run, "--recover=rerun"]);
  expect({ ...(await resumed.ended), said: resumed.stderr }).toEqual({ code: 0, signal: null, said: "" });
  expect(storedRows(house.store, session).map(({ type }) => type)).not.toContain("permission.requested");

  expect(git("log", "--format=%s", "main").split("\n")).toEqual([`Work of step work of run ${run}`, "first"]);
  expect(git("diff", "--name-status", "main~1", "main").split("\n")).toEqual(["A\tadded", "A\tfile"]);
  expect(readFileSync(join(house.cwd, "file"), "utf8")).toBe("changed\n");
  expect(git("status", "--porcelain")).toBe("?? mine");
  expect(git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
  expect(existsSync(`${house.cwd}.troupe`)).toBe(false);
});

test("a cancel that is cut off while the tree is seen to is finished by who would resume the run", async () => {
  const command = "echo more > file; echo at work; sleep 60";
  const isolation = "{worktree: {merge: keep}}";
  const steps = `initial: only\n  only: {type: step, command: "${command}", isolation: ${isolation}, on_success: done}`;
  const file = join(house.cwd, ".troupe", "workflows", "slow.yaml");
  writeFileSync(file, `name: slow\nstates:\n  ${steps}\n  done: {type: terminal}\n`);
  // What is collected comes after plan, add, fill, set up and the work itself.
  const killed = house.troupe(["run", "slow", "--trust"], { TROUPE_FAILPOINT: "work.before:6" });
  for (let n = 1; !(await killed.line(n)).includes("at work"); n++);
  killed.child.kill("SIGINT");
  expect(await killed.ended).toMatchObject({ signal: "SIGKILL" });
  const [session = ""] = storedSessions(house.store);
  const run = storedRows(house.store, session).find(({ type }) => type === "run.started")?.run ?? "";
  const resumed = house.troupe(["resume", run]);
  expect(await resumed.ended).toMatchObject({ code: 1 });
  expect(resumed.stderr).toContain(`run "${run}" has been cancelled`);
  const [, end] = storedRows(house.store, session).filter(
    ({ type }) => type === "step.completed" || type === "run.completed",
  );
  expect(end).toMatchObject({ type: "run.completed", payload: { status: "cancelled" } });
});
