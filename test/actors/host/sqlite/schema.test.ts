/** A store's tables: what goes with what, and how SQLite writes them. Covers I2 of the schema. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "../../../../actors/host/sqlite/schema.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { query } from "../../../support/sql.ts";
import { LONG, tables } from "./old-stores.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-schema-"));
  file = join(folder, "troupe.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["a small birth stands in its actor's row", '{"a":1}', 0],
  ["a large one has a row of its own", LONG, 1],
])("%s, is read with it and goes with it (I2)", (_, input, births) => {
  const store = new Store(file, "normal");
  store.begin();
  store.actors.add({ key: "run/r", session: "session/a", parent: null, childId: "run", nonce: 1 }, input, "{}");
  store.actors.save("run/r", '{"changed":true}');
  store.commit();
  const count = () => query(store, "select count(*) as n from birth")[0]?.["n"];
  expect(count()).toBe(births);
  expect(store.actors.load("run/r")).toMatchObject({ birth: input, snap: '{"changed":true}' });
  store.actors.drop("run/r");
  expect(count()).toBe(0);
  store.close();
});

test.each([
  ["normal", 1],
  ["full", 2],
] as const)("durability %s is what SQLite writes by", (durability, synchronous) => {
  const store = new Store(file, durability);
  expect(query(store, "pragma synchronous")).toEqual([{ synchronous }]);
  store.close();
});

test("who finds that another process was first changes nothing", () => {
  const { db } = new Store(file, "normal");
  const before = tables(db);
  let looks = 0;
  const early = { get: () => ({ user_version: 0 }) };
  const late = {
    prepare: (sql: string) => (looks++ === 0 ? early : db.prepare(sql)),
    exec: (sql: string) => db.exec(sql),
  };
  migrate(late as unknown as DatabaseSync);
  expect(looks).toBe(2);
  expect(tables(db)).toEqual(before);
  db.close();
});
