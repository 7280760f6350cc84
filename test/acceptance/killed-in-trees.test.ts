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
