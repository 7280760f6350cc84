/** Covers `keep-older.ts`. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepOlder } from "../../../../actors/host/sqlite/keep-older.ts";
import { SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";
import { storeRoom } from "../../../../actors/host/sqlite/store-room.ts";

let root: string;
let state: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-older-"));
  state = join(root, "state");
  mkdirSync(state);
  file = join(state, "troupe.db");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A file of SQLite that holds one text. */
function put(path: string, text: string, version = SCHEMA_VERSION): void {
  const db = new DatabaseSync(path);
  db.exec(`create table t(x text); insert into t values('${text}'); pragma user_version=${version}`);
  db.close();
}
function textIn(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  const text = db.prepare("select x from t").get()?.["x"];
  db.close();
  return text;
}

describe("before a file is brought to a newer form", () => {
  const kept = (version: number, path = file): string[] => {
    put(path, "old", version);
    const db = new DatabaseSync(path);
    keepOlder(db, path);
    db.close();
    return readdirSync(state);
  };
  test("it stays beside, under its form", () => {
    expect(kept(SCHEMA_VERSION - 1)).toEqual(["troupe.db", `troupe.db.v${SCHEMA_VERSION - 1}`]);
    expect(textIn(`${file}.v${SCHEMA_VERSION - 1}`)).toBe("old");
  });
  test("only this user may read it", () => {
    kept(1);
    expect(statSync(`${file}.v1`).mode & 0o777).toBe(0o600);
  });
  test("the first copy stays as it is (I2)", () => {
    put(`${file}.v1`, "first", 1);
    expect(kept(1)).toEqual(["troupe.db", "troupe.db.v1"]);
    expect(textIn(`${file}.v1`)).toBe("first");
  });
  test.each([0, SCHEMA_VERSION, SCHEMA_VERSION + 1])("none is made of form %i", (version) => {
    expect(kept(version)).toEqual(["troupe.db"]);
  });
  test("none is left when it cannot be made", () => {
    put(file, "old", 1);
    const db = new DatabaseSync(file);
    db.exec("begin");
    expect(() => keepOlder(db, file)).toThrow("cannot VACUUM from within a transaction");
    db.close();
    expect([readdirSync(state), existsSync(`${file}.v1`)]).toEqual([["troupe.db"], false]);
  });
  test("a store that went on in its older form, since its user went back, is kept once more (I2)", () => {
    const logged = (rows: number): void => {
      const db = new DatabaseSync(file);
      db.exec("create table if not exists log(at integer)");
      for (let at = 0; at < rows; at++) db.exec(`insert into log values(${at})`);
      keepOlder(db, file);
      db.close();
    };
    put(file, "old", 1);
    logged(2);
    logged(0);
    expect(readdirSync(state)).toEqual(["troupe.db", "troupe.db.v1"]);
    logged(1);
    logged(0);
    expect(readdirSync(state)).toEqual(["troupe.db", "troupe.db.v1", "troupe.db.v1.2"]);
    expect(storeRoom(file).older).toHaveLength(2);
  });
  test("what a killed process has left of a copy goes, but not what another one makes (I3)", () => {
    const [left, made, young] = ["a", "b", "c"].map((word) => `${file}.v1.${word.repeat(12)}`);
    for (const draft of [left, made, young]) put(String(draft), "draft");
    writeFileSync(`${left}-journal`, "");
    for (const draft of [left, made]) utimesSync(String(draft), 1, 1);
    const other = new DatabaseSync(String(made));
    other.exec("begin exclusive");
    expect(
      storeRoom(file)
        .older.map(({ path }) => path)
        .sort(),
    ).toEqual([left, `${left}-journal`, made, young]);
    expect(kept(1).map((name) => join(state, name))).toEqual([file, `${file}.v1`, made, young]);
    other.close();
  });
});
