/** Covers `make-room.ts` and `store-room.ts`: what goes where a disk is full, what never does, and what is said. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { lacksRoom, makeRoom, noRoom } from "../../../../actors/facade/upkeep/make-room.ts";
import { SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";
import { storeRoom } from "../../../../actors/host/sqlite/store-room.ts";

const MB = 1024 ** 2;
let folder: string;
let state: string;
let environment: { [name: string]: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-room-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  state = join(folder, "state");
  mkdirSync(state);
  environment = { HOME: folder, TROUPE_HOME: state, XDG_CACHE_HOME: join(folder, "cache") };
});
function put(bytes: number, ...path: string[]): string {
  const file = join(folder, ...path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, Buffer.alloc(bytes));
  return file;
}

test("what is made again goes, and nothing else", () => {
  const made = [put(10, "cache", "troupe", "compile", "code-run"), put(5, "cache", "troupe", "parsed", "b", "one")];
  const others = [
    put(1, "cache", "troupe", "other", "x"),
    put(1, "cache", "compile", "x"),
    put(1, "state", "troupe.db.v7"),
    put(1, "state", "replaced-x", "troupe.db"),
  ];
  expect(makeRoom(environment)).toBe(15);
  expect(made.map(existsSync)).toEqual([false, false]);
  expect(others.map(existsSync)).toEqual([true, true, true, true]);
  expect(makeRoom(environment)).toBe(0);
});

test("what lies on another disk stays: it gives the store no room", () => {
  if (!existsSync("/dev/shm")) return;
  const other = mkdtempSync("/dev/shm/troupe-room-");
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  mkdirSync(join(other, "troupe", "compile"), { recursive: true });
  expect(makeRoom({ ...environment, XDG_CACHE_HOME: other })).toBe(0);
  expect(existsSync(join(other, "troupe", "compile"))).toBe(true);
});

test("what cannot be removed stays, and counts for nothing", () => {
  const kept = put(10, "cache", "troupe", "compile", "code-run");
  put(5, "cache", "troupe", "parsed", "one");
  chmodSync(join(kept, ".."), 0o500);
  // Rights bind everybody but root, so that root becomes somebody else.
  const [program, nobody] = [new URL("../../../../actors/facade/upkeep/make-room.ts", import.meta.url).href, 65_534];
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync("chown", ["-R", String(nobody), folder]);
  const script = `const { makeRoom } = await import(${JSON.stringify(program)});
    ${isRoot ? `process.setuid(${nobody});` : ""} console.log(makeRoom(${JSON.stringify(environment)}));`;
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })).toBe("5\n");
  expect(existsSync(kept)).toBe(true);
  chmodSync(join(kept, ".."), 0o700);
});

test("a store's room is that of all its files, and what earlier ones have left", () => {
  put(100, "state", "troupe.db");
  put(40, "state", "troupe.db-wal");
  put(3, "state", "attachments.db");
  put(2, "state", "conversations.db-wal");
  put(1_000, "state", "config.yaml");
  const older = [put(20, "state", "troupe.db.v7"), put(30, "state", "replaced-x", "troupe.db")];
  const room = storeRoom(join(state, "troupe.db"));
  expect(room).toMatchObject({ wal: 40, total: 195 });
  expect(room.older.sort((a, b) => a.bytes - b.bytes)).toEqual([
    { path: older[0], bytes: 20 },
    { path: join(state, "replaced-x"), bytes: 30 },
  ]);
  expect(room.free).toBeGreaterThan(0);
});

test("how much room it takes is said, and what is the user's to remove", () => {
  put(MB, "state", "troupe.db-wal");
  const older = put(2.5 * MB, "state", "troupe.db.v7");
  const cause = new Error("database or disk is full");
  put(MB / 2, "state", "troupe.db");
  const needs = (sizeOf: () => number) => noRoom(cause, environment, sizeOf).details["needs"];
  expect([0.25, 1, 9].map((size) => needs(() => size * MB))).toEqual([MB, 1.5 * MB, 2 * MB]);
  const error = noRoom(cause, environment, () => {
    throw new Error("it cannot be opened");
  });
  expect(error).toMatchObject({ code: "SYSTEM.IO.WRITE_FAILED", cause, details: { needs: 2 * MB } });
  expect(error.message).toContain("left, and removing takes room first: see that 2.0 MB are free, then do this again");
  expect(error.message).toContain(`is yours to remove: ${older} (2.5 MB)`);
});

test("a store of an older form has to be brought to the new one first, which takes thrice its size", () => {
  const file = put(0, "state", "troupe.db");
  const needs = (version: number): unknown => {
    const db = new DatabaseSync(file);
    db.exec(`create table if not exists a(b); pragma user_version=${version}`);
    db.close();
    const closed = (): number => {
      throw new Error("it cannot be brought to the new form");
    };
    return noRoom(new Error("full"), environment, closed).details["needs"];
  };
  expect(needs(SCHEMA_VERSION)).toBe(MB);
  expect(needs(SCHEMA_VERSION - 1)).toBe(MB + 3 * statSync(file).size);
});

test("a store that is open here stays locked for other processes while its room is told", () => {
  const file = put(0, "state", "troupe.db");
  const db = new DatabaseSync(file);
  onTestFinished(() => db.close());
  db.exec(`pragma journal_mode=wal; create table a(b); pragma user_version=${SCHEMA_VERSION}`);
  const taken = `import { DatabaseSync } from "node:sqlite";
    try {
      new DatabaseSync(${JSON.stringify(file)}).exec("pragma locking_mode=exclusive; begin exclusive");
      console.log("taken");
    } catch (error) { console.log(error.message); }`;
  const said = (): string =>
    execFileSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", taken], { encoding: "utf8" });
  noRoom(new Error("full"), environment, () => 0);
  expect(said()).toBe("database is locked\n");
});

test("a fault that is none of room, or with plenty of it, is left as it is", () => {
  expect(lacksRoom(new Error("other"), environment)).toBe(false);
  const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
  const isFull = storeRoom(join(state, "troupe.db")).free < 64 * MB;
  expect(lacksRoom(full, environment)).toBe(isFull);
  expect(lacksRoom(full, { ...environment, TROUPE_HOME: join(folder, "none") })).toBe(false);
});
