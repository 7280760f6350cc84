import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { codeOfSqlite } from "../../../actors/errors/system.ts";

/** What SQLite throws at a statement. */
function thrown(sql: string): unknown {
  const db = new DatabaseSync(":memory:");
  try {
    db.exec(sql);
  } catch (error) {
    return error;
  } finally {
    db.close();
  }
  throw new Error("it threw nothing");
}

test("a store whose tables are not ours is damaged; a statement of ours that is wrong is a fault of ours", () => {
  expect(codeOfSqlite(thrown("select 1 from timer"))).toBe("SYSTEM.STORE.DAMAGED");
  expect(codeOfSqlite(thrown("create table timer(a); select b from timer"))).toBe("SYSTEM.STORE.DAMAGED");
  expect(codeOfSqlite(thrown("selekt"))).toBeNull();
});

test.each([
  [5, "SYSTEM.STORE.BUSY"],
  [261, "SYSTEM.STORE.BUSY"], // SQLITE_BUSY_RECOVERY
  [778, "SYSTEM.IO.WRITE_FAILED"], // SQLITE_IOERR_WRITE
  [26, "SYSTEM.STORE.DAMAGED"],
  [2, null],
])("number %i of SQLite", (errcode, code) => {
  expect(codeOfSqlite({ errcode })).toBe(code);
});

test.each([null, "no such table: a", { errcode: "5" }, {}])("%j is not SQLite's", (error) => {
  expect(codeOfSqlite(error)).toBeNull();
});
