/** `troupe run` in a job of GitHub Actions: folds, an error for what failed, and the job's summary. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/shards.yaml", "acceptance/hello.yaml"]);
});
afterEach(() => house.leave());

test("a run that fails has folds, an error and a summary; its exit code is its own", async () => {
  const file = join(house.root, "summary.md");
  const run = house.troupe(["run", "shards", "--trust"], { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: file });
  const { code } = await run.ended;
  expect(code).toBe(3);
  const word = /^::stop-commands::(troupe-[0-9a-f-]{36})$/.exec(run.lines[0] ?? "")?.[1];
  expect(word).toBeDefined();
  expect(run.lines.at(-1)).toBe(`::${word}::`);
  const own = run.lines.filter((line, index) => run.lines[index - 1] === `::${word}::` && line.startsWith("::"));
  expect(own.some((line) => line.startsWith("::group::"))).toBe(true);
  expect(own.filter((line) => line.startsWith("::error title="))).toHaveLength(1);
  const summary = readFileSync(file, "utf8");
  expect(summary).toMatch(/^### ❌ ` shards ` failed in /);
  expect(summary).toContain("```text");
});

test("a run that is refused says why in the summary", async () => {
  const file = join(house.root, "summary.md");
  const run = house.troupe(["run", "shards"], { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: file });
  expect((await run.ended).code).toBe(5);
  const summary = readFileSync(file, "utf8");
  expect(summary).toMatch(/^### ❌ ` shards `\n\n```text\n/);
  expect(summary).toContain("[USER.TRUST.REQUIRED]\n```\n");
});

test("a summary that cannot be written is said, and fails nothing", async () => {
  const file = join(house.root, "no", "summary.md");
  const run = house.troupe(["run", "hello", "--trust"], { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: file });
  expect((await run.ended).code).toBe(0);
  expect(run.stderr).toContain("troupe: the summary of the job is lost: ENOENT");
});

test("with output as data, or without a runner, none of this is written", async () => {
  const file = join(house.root, "summary.md");
  const data = house.troupe(["run", "hello", "--trust", "--format", "json"], {
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: file,
  });
  expect((await data.ended).code).toBe(0);
  expect(data.lines.map((line) => typeof JSON.parse(line))).not.toContain("string");
  const plain = house.troupe(["run", "hello", "--trust"], { GITHUB_STEP_SUMMARY: file });
  expect((await plain.ended).code).toBe(0);
  expect(plain.lines.join("\n")).not.toContain("::");
  expect(existsSync(file)).toBe(false);
});
