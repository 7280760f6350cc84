/** `troupe export`: a run as one file, by the built program. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { marked } from "marked";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Recorded } from "../../../projections/page/recorded.ts";
import { type House, openHouse } from "../../support/house.ts";

const SECRET = "canary-52c0d1-in-the-environment";
let house: House;
let run = "";
beforeAll(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  const say = {
    type: "command",
    command: "echo \"token: $MY_TOKEN\"; echo '```</details>'; printf 'a\\302\\2332Jb\\n'",
    on_success: "fail",
  };
  const fail = { type: "command", command: "echo went wrong >&2; exit 3", on_success: "done" };
  const states = { initial: "say", say, fail, done: { type: "terminal" } };
  writeFileSync(join(house.cwd, ".troupe", "workflows", "falls.yaml"), JSON.stringify({ name: "falls", states }));
  const ran = house.troupe(["run", "falls", "--trust", "--format", "json"], { MY_TOKEN: SECRET });
  await ran.ended;
  run = (JSON.parse(ran.lines.find((line) => line.includes("run.started")) ?? "{}") as { run: string }).run;
});
afterAll(() => house.leave());

const exported = async (...args: string[]): Promise<{ code: number | null; out: string; stderr: string }> => {
  const one = house.troupe(["export", run, ...args]);
  const { code } = await one.ended;
  return { code, out: one.lines.join("\n"), stderr: one.stderr };
};
const read = (file: string): string => readFileSync(join(house.cwd, file), "utf8");

test("without a word it is a page, named after the run, for its user alone, with no secret in it (I1)", async () => {
  const file = `falls-${run.slice(0, 8)}.html`;
  expect(await exported()).toEqual({ code: 0, out: join(house.cwd, file), stderr: "" });
  expect(statSync(join(house.cwd, file)).mode & 0o777).toBe(0o600);
  const recorded = JSON.parse(/id="recorded">(.*?)<\/script>/s.exec(read(file))?.[1] ?? "null") as Recorded;
  expect(recorded).toMatchObject({ run, workflow: "falls" });
  expect(Object.keys(recorded.charts)).toEqual(["falls"]);
  expect(read(file)).not.toContain(SECRET);
});

test("as rows it is what logs shows of the run, which view takes (I2)", async () => {
  await exported("-o", "run.jsonl");
  const logs = house.troupe(["logs", run, "--format", "json"]);
  await logs.ended;
  expect(read("run.jsonl").trimEnd().split("\n")).toEqual(logs.lines);
  expect(await house.troupe(["view", "run.jsonl", "-o", "view.html"]).ended).toEqual({ code: 0, signal: null });
});

test("a file that stood there is its user's alone to read from then on (I1)", async () => {
  writeFileSync(join(house.cwd, "there.html"), "old", { mode: 0o644 });
  expect((await exported("-o", "there.html")).code).toBe(0);
  expect(statSync(join(house.cwd, "there.html")).mode & 0o777).toBe(0o600);
  expect(read("there.html")).toMatch(/^<!doctype html>/);
});

test("as rows on a terminal nothing in them steers it, and their values are the same", async () => {
  const { out } = await exported("-o", "-", "--as", "jsonl");
  expect(out).toContain("a\\u009b2Jb");
  expect(out).not.toMatch(/[\u007f-\u009f]/);
  expect(
    out
      .split("\n")
      .map((line) => JSON.stringify(JSON.parse(line)))
      .join(""),
  ).toContain("a\u009b2Jb");
});

test("as Markdown it says how it ended and what failed; nothing that was said ends its fence", async () => {
  const { out } = await exported("-o", "-", "--as", "markdown");
  expect(out).toMatch(/^### ❌ ` falls ` failed in /);
  expect(out).toContain("| ❌ | ` fail ` |");
  expect(out).toContain("went wrong");
  expect(out).not.toContain(SECRET);
  const html = marked.parse(out, { async: false });
  expect(html.match(/<details>/g)).toHaveLength(1);
  expect(html.match(/<\/details>/g)).toHaveLength(1);
});

test("a file whose ending says something else is refused, unless it is said what it is to hold", async () => {
  const { code, out, stderr } = await exported("-o", "run.zip");
  expect([code, out]).toEqual([1, ""]);
  expect(stderr).toContain("-o run.zip: expected a file that ends in .html, .md, .jsonl, or --as");
  expect(existsSync(join(house.cwd, "run.zip"))).toBe(false);
  expect((await exported("-o", "run.log", "--as", "jsonl")).code).toBe(0);
  expect((await exported("-o", "RUN.MD")).code).toBe(0);
  expect(read("RUN.MD")).toMatch(/^### ❌ /);
});

test("what is no run, and a file that cannot be written, are said", async () => {
  const nowhere = await exported("-o", "no/such/folder.html");
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("USER.CLI.USAGE")]);
  const none = house.troupe(["export", "nothing"]);
  expect((await none.ended).code).toBe(1);
  expect(none.stderr).toContain("USER.RUN.NOT_FOUND");
});
