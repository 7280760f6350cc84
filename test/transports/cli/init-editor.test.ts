/** `troupe init --editor`: nothing is written unasked, what stands in a file stays, and what cannot be kept is not touched. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "./started.ts";

let place: Place;
let file: string;
beforeEach(() => {
  place = new Place();
  file = join(place.folder, ".jetbrains", "acp.json");
  mkdirSync(dirname(file), { recursive: true });
});
afterEach(() => place.remove());
const init = (...args: string[]) => place.run(["init", "--editor", "jetbrains", ...args]);
const read = (): { agent_servers: { [name: string]: { args: string[] } }; own?: number } =>
  JSON.parse(readFileSync(file, "utf8"));

it("shows the text and its place, and writes nothing", async () => {
  const { out, code } = await init();
  expect([code, out.includes(file), existsSync(file)]).toEqual([0, true, false]);
  expect(out).toContain('"agent_servers": { "Troupe": {');
});

it("puts its entry among what stands there, keeps the file's mode, and does so once", async () => {
  writeFileSync(file, JSON.stringify({ own: 1, agent_servers: { other: { args: [] } } }));
  chmodSync(file, 0o600);
  expect((await init("--write")).out).toContain("has Troupe now");
  expect(read()).toMatchObject({ own: 1, agent_servers: { other: { args: [] }, Troupe: {} } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file, "utf8");
  expect((await init("--write")).out).toContain("had it already");
  expect(readFileSync(file, "utf8")).toBe(before);
});

it.each([
  ["another entry of its name", '{"agent_servers": {"Troupe": {"args": ["x"]}}}', "USER.CLI.EXISTS"],
  ["comments", '{ // mine\n "agent_servers": {} }', "USER.CLI.USAGE"],
  ["something else in its place", '{"agent_servers": 7}', "USER.CLI.USAGE"],
])("leaves a file with %s as it is", async (_, text, code) => {
  writeFileSync(file, text);
  const { code: exit, err } = await init("--write");
  expect([exit, err.includes(code), readFileSync(file, "utf8")]).toEqual([1, true, text]);
});

it("replaces another entry of its name with --force, and never an editor's program", async () => {
  writeFileSync(file, '{"agent_servers": {"Troupe": {"args": ["x"]}}}');
  expect((await init("--write", "--force")).code).toBe(0);
  expect(read().agent_servers["Troupe"]?.args.at(-1)).toBe("acp");
  expect((await place.run(["init", "--editor", "emacs", "--write", "--force"])).code).toBe(1);
});
