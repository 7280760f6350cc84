/** A copy that is put back: what is moved aside, what is refused, and what stays when it fails. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { restoreStore } from "../../../../actors/host/sqlite/copies.ts";
import { SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";
import { BESIDE, fault, file, folder, put, root, state, textIn, texts } from "./store-files.ts";

/** A file as a process that was killed leaves it: the latest text stands in the write-ahead log alone. */
function putKilled(path: string, before: string, latest: string): void {
  const made = join(root, "made.db");
  put(made, before);
  const db = new DatabaseSync(made);
  db.exec(`pragma journal_mode=wal; pragma wal_autocheckpoint=0; update t set x='${latest}'`);
  for (const suffix of ["", "-wal", "-shm"]) copyFileSync(made + suffix, path + suffix);
  db.close();
  rmSync(made);
}

const restore = (force = false) => restoreStore({ file, folder, id: "id", beside: [], force });
/** A copy whose files say so. */
function copied(...names: string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) put(join(folder, name), `copied ${name}`);
}

describe("a copy is put back", () => {
  test("where nothing stands", () => {
    rmSync(state, { recursive: true });
    copied("troupe.db", ...BESIDE);
    expect(restore()).toBeNull();
    expect(texts(state)).toEqual({
      "troupe.db": "copied troupe.db",
      "attachments.db": `copied ${BESIDE[0]}`,
      "conversations.db": `copied ${BESIDE[1]}`,
    });
  });
  test("by force where a store stands, which is moved aside with all that belongs to it", () => {
    copied("troupe.db", "attachments.db");
    for (const name of ["troupe.db", "conversations.db"]) put(join(state, name), `old ${name}`);
    const aside = join(state, "replaced-id");
    expect(restore(true)).toBe(aside);
    expect(texts(aside)).toEqual({ "troupe.db": "old troupe.db", "conversations.db": "old conversations.db" });
    rmSync(aside, { recursive: true });
    expect(texts(state)).toEqual({ "troupe.db": "copied troupe.db", "attachments.db": "copied attachments.db" });
  });
  test("without force where only something beside a store stands", () => {
    copied("troupe.db");
    put(join(state, "attachments.db"), "old");
    expect(restore()).toBe(join(state, "replaced-id"));
    expect(texts(join(state, "replaced-id"))).toEqual({ "attachments.db": "old" });
  });
  test("with what stands in its write-ahead log alone", () => {
    mkdirSync(folder);
    for (const name of ["troupe.db", "attachments.db"]) putKilled(join(folder, name), "old", `latest ${name}`);
    expect(restore()).toBeNull();
    expect(texts(state)).toEqual({ "troupe.db": "latest troupe.db", "attachments.db": "latest attachments.db" });
  });
  test("not beside the write-ahead log of a file that is gone, or is moved aside", () => {
    copied("troupe.db", "attachments.db");
    putKilled(file, "old", "latest");
    rmSync(file);
    putKilled(join(state, "attachments.db"), "old", "latest");
    expect(restore()).toBe(join(state, "replaced-id"));
    expect(readdirSync(state).sort()).toEqual(["attachments.db", "replaced-id", "troupe.db"]);
    expect(textIn(join(state, "replaced-id", "attachments.db"))).toBe("latest");
    rmSync(join(state, "replaced-id"), { recursive: true });
    expect(texts(state)).toEqual({ "troupe.db": "copied troupe.db", "attachments.db": "copied attachments.db" });
  });
  test("by force where a damaged store stands, which nobody can lock", () => {
    copied("troupe.db");
    const damaged = "no store\n".repeat(1_000);
    writeFileSync(file, damaged);
    expect(restore(true)).toBe(join(state, "replaced-id"));
    expect(textIn(file)).toBe("copied troupe.db");
    expect(readFileSync(join(state, "replaced-id", "troupe.db"), "utf8")).toBe(damaged);
  });
});

describe("a copy is not put back, and nothing is changed", () => {
  const refused = (force: boolean, code: string, message: string, details: object): void => {
    const before = readdirSync(state).map((name) => [name, readFileSync(join(state, name), "utf8")]);
    expect(fault(() => restore(force))).toEqual({ code, message, details });
    expect(readdirSync(state).map((name) => [name, readFileSync(join(state, name), "utf8")])).toEqual(before);
  };
  test("without a log", () => {
    copied(...BESIDE);
    refused(true, "USER.CLI.USAGE", `${folder} has no copy of a store in it: troupe.db is missing`, { folder });
  });
  test("over a store, without force", () => {
    copied("troupe.db");
    put(file, "old");
    refused(false, "USER.CLI.EXISTS", `there is a store at ${file}: --force moves it aside`, { file });
  });
  test("over a store that is open", () => {
    copied("troupe.db");
    put(file, "old");
    const db = new DatabaseSync(file);
    db.exec("begin immediate");
    const message = `a process has the store ${file} open: end editors, servers and runs that use it, then try again`;
    expect(fault(() => restore(true))).toEqual({ code: "SYSTEM.STORE.BUSY", message, details: { file } });
    db.exec("rollback");
    db.close();
    expect(texts(state)).toEqual({ "troupe.db": "old" });
  });
  test("where the place of what is moved aside is taken", () => {
    copied("troupe.db", ...BESIDE);
    put(file, "old");
    mkdirSync(join(state, "replaced-id"));
    expect(fault(() => restore(true))).toMatchObject({ code: "EEXIST" });
    expect(readdirSync(state).sort()).toEqual(["replaced-id", "troupe.db"]);
    expect(textIn(file)).toBe("old");
  });
  test.each<[string, string, string, number]>([
    ["that holds no store", "SYSTEM.STORE.DAMAGED", "it holds no store", 0],
    ["of a later form", "SYSTEM.STORE.NEWER", "a newer Troupe wrote it", SCHEMA_VERSION + 1],
  ])("%s", (_, code, why, version) => {
    mkdirSync(folder);
    const of = join(folder, "troupe.db");
    put(of, "x", version);
    put(join(folder, "attachments.db"), "x", version);
    refused(false, code, `${of} is not put back: ${why}`, { file: of });
  });
  test("that is no database, or a damaged one", () => {
    copied("troupe.db");
    const of = join(folder, "attachments.db");
    writeFileSync(of, "no store\n".repeat(1_000));
    refused(false, "SYSTEM.STORE.DAMAGED", `${of} is not put back: file is not a database`, { file: of });
    rmSync(of);
    put(of, "x".repeat(9_000));
    const bytes = readFileSync(of);
    bytes.fill(0xff, bytes.length - 4_096, bytes.length - 4_088);
    writeFileSync(of, bytes);
    expect(fault(restore)).toMatchObject({ code: "SYSTEM.STORE.DAMAGED", details: { file: of } });
  });
  test("that is a pipe, which is not waited for, or a folder", () => {
    const why = { code: "SYSTEM.STORE.DAMAGED", message: expect.stringContaining("it is no regular file") };
    mkdirSync(folder, { recursive: true });
    rmSync(join(folder, "troupe.db"), { force: true });
    spawnSync("mkfifo", [join(folder, "troupe.db")]);
    expect(fault(restore)).toMatchObject(why);
    rmSync(join(folder, "troupe.db"));
    mkdirSync(join(folder, "troupe.db"));
    expect(fault(restore)).toMatchObject(why);
  });

  test("but what stands beside a log has no form of its own", () => {
    copied("troupe.db");
    put(join(folder, "attachments.db"), "x", 0);
    put(join(folder, "conversations.db"), "x", SCHEMA_VERSION + 9);
    expect(restore()).toBeNull();
  });
});
