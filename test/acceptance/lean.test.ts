/** What a command that only looks loads, and what it leaves for the next one. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

const PLAIN =
  "name: plain\nstates:\n  initial: a\n  a: {type: step, command: 'true', on_success: b}\n  b: {type: terminal}\n";
const SECRET = "correct-horse-battery-staple";
const HIDING = `name: hiding\nmcp_servers: {one: {command: x, env: {API_TOKEN: ${SECRET}}}}\nstates:\n  initial: a\n  a: {type: terminal}\n`;
/** Tells which chunks of the program are read. */
const TELLS = `data:text/javascript,${encodeURIComponent(
  'import fs from "node:fs"; const read = fs.readFileSync; fs.readFileSync = (path, ...rest) => { if (String(path).includes("/program/")) process.stderr.write("read " + path + "\\n"); return read(path, ...rest); };',
)}`;

let house: House;
beforeEach(() => {
  house = openHouse([]);
  for (const [name, text] of Object.entries({ plain: PLAIN, hiding: HIDING }))
    writeFileSync(join(house.cwd, ".troupe", "workflows", `${name}.yaml`), text);
});
afterEach(() => house.leave());

async function read(...args: string[]): Promise<string> {
  const one = house.troupe(args, {}, ["--import", TELLS]);
  expect((await one.ended).code, one.stderr).toBe(0);
  expect(one.stderr).toContain("program-");
  return one.stderr;
}
const HEAVY = /\/(?:lib-(?:xstate|rxjs|agentclientprotocol)|troupe-)/;
const PARSER = /\/lib-(?:zod|yaml)/;

test("validate and list load no machine, no store and no stream, and the second time no parser", async () => {
  // What is not kept is parsed each time.
  rmSync(join(house.cwd, ".troupe", "workflows", "hiding.yaml"));
  for (const args of [["validate", "plain"], ["list"]]) {
    expect(await read(...args)).not.toMatch(HEAVY);
    const again = await read(...args);
    expect(again).not.toMatch(HEAVY);
    expect(again).not.toMatch(PARSER);
  }
});

test("a file that changed is parsed again, and says what is wrong with it now", async () => {
  await read("validate", "plain");
  writeFileSync(join(house.cwd, ".troupe", "workflows", "plain.yaml"), PLAIN.replace("on_success: b", "on_success: c"));
  const one = house.troupe(["validate", "plain"]);
  expect((await one.ended).code).toBe(2);
  expect(one.lines.join("\n")).toContain('state "c" does not exist');
});

test("a document with a secret in it is not kept", async () => {
  await read("list");
  const folder = join(house.env["HOME"] ?? "", ".cache", "troupe", "parsed");
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(kept.join()).toContain("plain");
  expect(kept.join()).not.toContain(SECRET);
});

test("an ephemeral run keeps nothing", async () => {
  expect(await read("run", "plain", "--ephemeral", "--trust")).toContain("program-");
  expect(existsSync(join(house.env["HOME"] ?? "", ".cache", "troupe", "parsed"))).toBe(false);
});
