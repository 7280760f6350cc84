/** A merge with conflicts goes to the step that its author has named, which mends them in the same tree. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, inRepository, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/mended.yaml"]);
});
afterEach(() => house.leave());

test("nobody is asked, and what both have changed is merged", async () => {
  writeFileSync(join(house.cwd, "file"), "first\n");
  inRepository(house);
  // The step commits it in the checkout while it works in its tree.
  writeFileSync(join(house.cwd, "file"), "ours\n");
  const run = house.troupe(["run", "mended", "--trust", "--allow-merge"]);
  expect({ ...(await run.ended), said: run.stderr }).toEqual({ code: 0, signal: null, said: "" });
  expect(run.lines.join("\n")).toContain('["file"] has both');
  expect(readFileSync(join(house.cwd, "file"), "utf8")).toBe("both\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: house.cwd, env: house.env, encoding: "utf8" });
  expect(git("status", "--porcelain")).toBe("");
  expect(git("for-each-ref", "--format=%(refname:short)", "refs/heads").trim()).toBe("main");
});
