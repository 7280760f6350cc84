import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Recorded } from "../../../projections/page/recorded.ts";
import { type House, openHouse } from "../../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["page/release.yaml", "page/ship.yaml", "acceptance/hello.yaml"]);
});
afterEach(() => house.leave());

const done = async (args: string[], env = {}): Promise<{ code: number | null; lines: string[]; stderr: string }> => {
  const one = house.troupe(args, env);
  const { code } = await one.ended;
  return { code, lines: one.lines, stderr: one.stderr };
};
const recordedIn = (file: string): Recorded =>
  JSON.parse(/id="recorded">(.*?)<\/script>/s.exec(readFileSync(file, "utf8"))?.[1] ?? "null") as Recorded;

test("a log that was written is one file, with its rows and the graph of its workflow", async () => {
  expect((await done(["run", "hello", "--trust"])).code).toBe(0);
  const log = (await done(["logs", "@last", "--format", "json"])).lines;
  writeFileSync(join(house.cwd, "run.jsonl"), `${log.join("\n")}\n`);
  const { code, lines } = await done(["view", "run.jsonl", "-o", "run.html"]);
  const file = join(house.cwd, "run.html");
  expect([code, lines, statSync(file).mode & 0o777]).toEqual([0, [file], 0o600]);
  const { rows, workflow, charts } = recordedIn(file);
  expect(rows).toEqual(log.map((line) => JSON.parse(line)));
  expect([workflow, Object.keys(charts)]).toEqual(["hello", ["hello"]]);
  // Without a place it is opened from a temporary one.
  const opened = await done(["view", "run.jsonl"], { BROWSER: "/bin/true" });
  expect(recordedIn(opened.lines[0] ?? "").rows).toEqual(rows);
});

test.each([
  ["{}\n", "run.jsonl:1: expected a row of a log"],
  ["\n\nnothing\n", "run.jsonl:3: expected a row of a log"],
  ["", "no run begins in it"],
])("what is no log is refused: %j", async (text, says) => {
  writeFileSync(join(house.cwd, "run.jsonl"), text);
  const { code, stderr } = await done(["view", "run.jsonl", "-o", "run.html"]);
  expect(code).toBe(1);
  expect(stderr).toContain(says);
  const none = await done(["view", "none.jsonl"]);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("none.jsonl is no file: expected one that")]);
});

test("a place where no file can be is the user's to mend", async () => {
  await done(["run", "hello", "--trust"]);
  writeFileSync(join(house.cwd, "run.jsonl"), (await done(["logs", "@last", "--format", "json"])).lines.join("\n"));
  const { code, stderr } = await done(["view", "run.jsonl", "-o", "no/such/folder.html"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/folder\.html cannot be written: expected (.|\n)*USER\.CLI\.USAGE/);
});
