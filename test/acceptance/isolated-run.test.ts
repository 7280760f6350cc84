/** A whole run in a tree of its own: its states share it, its hooks stay in the checkout, and its work is merged. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, inRepository, openHouse, storedRows, storedSessions } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/isolated.yaml"]);
});
afterEach(() => house.leave());

/** plan, add, fill, set up, the two states, collect, weigh, apply, clear; the first hook before and the last one after. */
test.each([null, "work.result:3", "work.result:10"])("killed at %s", async (moment) => {
  inRepository(house);
  writeFileSync(join(house.cwd, "mine"), "not committed\n");
  const args = ["run", "isolated", "--trust", "--allow-merge"];
  const first = house.troupe(args, moment === null ? {} : { TROUPE_FAILPOINT: moment });
  const end = await first.ended;
  const rows = storedRows(house.store, storedSessions(house.store)[0] ?? "");
  const run = rows.find(({ type }) => type === "run.started")?.run ?? "";
  if (moment !== null) {
    expect(end).toMatchObject({ signal: "SIGKILL" });
    const resumed = house.troupe(["resume", run, "--recover=rerun"]);
    expect({ ...(await resumed.ended), said: resumed.stderr }).toEqual({ code: 0, signal: null, said: "" });
  } else expect(end).toEqual({ code: 0, signal: null });
  const git = (...words: string[]) =>
    execFileSync("git", words, { cwd: house.cwd, env: house.env, encoding: "utf8" }).trim();
  expect(git("log", "--format=%s", "main").split("\n")).toEqual([`Work of run ${run}`, "first"]);
  expect(readFileSync(join(house.cwd, "file"), "utf8")).toBe("one\ntwo\n");
  expect(git("status", "--porcelain").split("\n")).toEqual(["?? mine", "?? started"]);
  expect(git("worktree", "list").split("\n")).toHaveLength(1);
  expect(existsSync(`${house.cwd}.troupe`)).toBe(false);
});
