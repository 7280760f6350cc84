import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { codeOfErrno, codeOfSqlite } from "../../../actors/errors/system.ts";
import { troupeError } from "../../../actors/errors/troupe-error.ts";

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
  [3, "SYSTEM.STORE.UNUSABLE"],
  [8, "SYSTEM.STORE.UNUSABLE"],
  [1544, "SYSTEM.STORE.UNUSABLE"], // SQLITE_READONLY_DIRECTORY
  [14, "SYSTEM.STORE.UNUSABLE"],
  [2, null],
])("number %i of SQLite", (errcode, code) => {
  expect(codeOfSqlite({ errcode })).toBe(code);
});

test.each([null, "no such table: a", { errcode: "5" }, {}])("%j is not SQLite's", (error) => {
  expect(codeOfSqlite(error)).toBeNull();
});

test("what the rights of a file or of the store refuse is no fault of ours, and says what to do", () => {
  const refused = Object.assign(new Error("EACCES: permission denied, mkdir '/x/y'"), { code: "EACCES" });
  expect(troupeError(refused)).toMatchObject({ code: "SYSTEM.IO.PERMISSION_DENIED", message: refused.message });
  expect(codeOfErrno("EPERM")).toBe("SYSTEM.IO.PERMISSION_DENIED");
  const readOnly = Object.assign(new Error("attempt to write a readonly database"), { errcode: 8 });
  expect(troupeError(readOnly).message).toBe(
    "the store cannot be used: look at the rights of its files and of their folder (`troupe doctor` names it), or set TROUPE_HOME to a folder that can be written: attempt to write a readonly database",
  );
});
