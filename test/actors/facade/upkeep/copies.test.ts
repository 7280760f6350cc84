/** Copies of a store: made while a process uses it, put back while none does, and kept before a newer form. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { KeptConversations } from "../../../../actors/conversations/kept.ts";
import { NO_MASKING } from "../../../../actors/masking/masking.ts";
import { type House, openHouse } from "../../../support/house.ts";
import type { Started } from "../../../support/started.ts";

let house: House;
let copy: string;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/asleep.yaml"]);
  copy = join(house.root, "copy");
});
afterEach(() => house.leave());

const start = (...args: string[]): Started => house.troupe(args, { TROUPE_TRUST: "1" });
const troupe = async (...args: string[]) => {
  const one = start(...args);
  const { code } = await one.ended;
  return { code, said: one.lines.join("\n") + one.stderr };
};
const runs = async (): Promise<string[]> =>
  (JSON.parse((await troupe("history", "--format", "json")).said) as { id: string }[]).map(({ id }) => id);

it("copies what is committed while another process runs, and puts it back when none does", async () => {
  await troupe("run", "hello");
  const busy = start("run", "asleep", "--format", "json");
  for (let n = 1; !(await busy.line(n)).includes("asleep now"); n++);
  expect(await troupe("backup", copy)).toMatchObject({ code: 0 });
  expect(statSync(copy).mode & 0o077).toBe(0);
  const before = await runs();
  expect(before).toHaveLength(2);

  // In use: nothing is changed, and nothing is left behind.
  const files = readdirSync(dirname(house.store)).filter((name) => !/-(wal|shm)$/.test(name));
  const refused = await troupe("restore", copy, "--force");
  expect([refused.code, refused.said.includes("SYSTEM.STORE.BUSY")]).toEqual([4, true]);
  expect(readdirSync(dirname(house.store)).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(files);
  busy.kill();
  await busy.ended;

  await troupe("run", "hello");
  expect(await runs()).toHaveLength(3);
  expect((await troupe("restore", copy)).said).toContain("USER.CLI.EXISTS");
  expect(await troupe("restore", copy, "--force")).toMatchObject({ code: 0 });
  expect(await runs()).toEqual(before);
  const aside = readdirSync(dirname(house.store)).find((name) => name.startsWith("replaced-")) ?? "";
  expect(existsSync(join(dirname(house.store), aside, "troupe.db"))).toBe(true);
}, 60_000);

it("copies what was said with agents, and puts it back where no terminal goes on with it", async () => {
  await troupe("run", "hello");
  const parts = { mask: NO_MASKING, now: () => 1 };
  const agent = { id: "a", slug: "mine", name: "Mine" };
  const kept = new KeptConversations(dirname(house.store));
  const begun = (id: string) => kept.begin({ version: 1, id, agent, cwd: house.root, from: null }, parts);
  begun("copied").close();
  kept.leave("copied");
  expect((await troupe("backup", copy, "--format", "json")).said).toContain('"conversations"');

  const open = begun("since");
  const refused = await troupe("restore", copy, "--force");
  expect(refused.code).toBe(4);
  expect(refused.said).toMatch(/a terminal has a conversation open \(since\): leave it there/);
  open.close();
  kept.close();
  expect(await troupe("restore", copy, "--force")).toMatchObject({ code: 0 });
  expect(kept.list().map(({ head }) => head.id)).toEqual(["copied"]);
  const aside = readdirSync(dirname(house.store)).find((name) => name.startsWith("replaced-")) ?? "";
  expect(readdirSync(join(dirname(house.store), aside, "conversations")).sort()).toEqual(["copied", "since"]);

  // A copy of an earlier version has none: what is kept stays.
  rmSync(join(copy, "conversations"), { recursive: true });
  expect(await troupe("restore", copy, "--force")).toMatchObject({ code: 0 });
  expect(kept.list().map(({ head }) => head.id)).toEqual(["copied"]);
}, 60_000);

it("neither writes into a folder that holds something, nor puts back what is no sound store", async () => {
  await troupe("run", "hello");
  mkdirSync(copy);
  writeFileSync(join(copy, "mine"), "");
  expect((await troupe("backup", copy)).said).toContain("USER.CLI.EXISTS");
  expect(readdirSync(copy)).toEqual(["mine"]);
  expect((await troupe("restore", copy, "--force")).said).toContain("USER.CLI.USAGE");
  writeFileSync(join(copy, "troupe.db"), "no database at all, but long enough to be one".repeat(200));
  expect((await troupe("restore", copy, "--force")).said).toContain("SYSTEM.STORE.DAMAGED");
  expect(await runs()).toHaveLength(1);
}, 60_000);

it("keeps a store of an earlier form beside the one that is brought up to date", async () => {
  await troupe("run", "hello");
  // What the step from form 7 to 8 has added, taken away again.
  const db = new DatabaseSync(house.store);
  db.exec("drop table schedule; drop index permission_of_session; drop table consent; pragma user_version=7");
  db.close();
  expect(await runs()).toHaveLength(1);
  const versionOf = (file: string): unknown => {
    const one = new DatabaseSync(file, { readOnly: true });
    const found = one.prepare("pragma user_version").get()?.["user_version"];
    one.close();
    return found;
  };
  expect(versionOf(`${house.store}.v7`)).toBe(7);
  expect(versionOf(house.store)).toBeGreaterThan(7);
}, 60_000);
