/** Covers `schema.ts`: a file that cannot be brought to its form. */
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { formOf, migrate } from "../../../../actors/host/sqlite/schema.ts";

test.each([true, false])("a full disk is called so, and the file stays in its form (SQLite rolls back: %s)", (does) => {
  const db = new DatabaseSync(":memory:");
  db.exec("create table kept(x text); insert into kept values('whole'); pragma user_version=5");
  const full = {
    prepare: (sql: string) => db.prepare(sql),
    get isTransaction() {
      return db.isTransaction;
    },
    exec: (sql: string) => {
      if (sql === "begin immediate" || sql === "rollback") return db.exec(sql);
      if (does) db.exec("rollback"); // as it does by itself where the log of the change has no room
      throw new Error("database or disk is full");
    },
  };
  expect(() => migrate(full as unknown as DatabaseSync)).toThrow("database or disk is full");
  expect([formOf(db), db.isTransaction, db.prepare("select x from kept").get()]).toEqual([5, false, { x: "whole" }]);
  db.close();
});
