/** Covers I1 to I3. */
import { execFile, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { openStore } from "../../../../actors/host/sqlite/store-folder.ts";

let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-folder-"));
  file = join(root, "a", "state", "troupe.db");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (at = file) => openStore(at, {}, () => new Store(at, "normal")).close();
const fault = (at = file): { code?: string; message?: string } => {
  try {
    open(at);
    return {};
  } catch (error) {
    return error as { code: string; message: string };
  }
};

test("the folder and what is in it are the user's alone", () => {
  open();
  const modes = [file, `${file}-bell`, join(root, "a", "state"), join(root, "a")].map((p) => statSync(p).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o700, 0o700]);
});

test("processes that make the folder at the same time all get it", async () => {
  const source = pathToFileURL(resolve("actors/host/sqlite/store-folder.ts")).href;
  const start = Date.now() + 1_500;
  const script = `
    const { openStore } = await import(${JSON.stringify(source)});
    for (let i = 0; i < 60; i++) {
      while (Date.now() < ${start} + i * 5);
      openStore(${JSON.stringify(root)} + "/" + i + "/a/b/troupe.db", {}, () => null);
    }`;
  const one = () => promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  await Promise.all([one(), one(), one()]);
  expect(readdirSync(root)).toHaveLength(60);
});

test.each([
  ["the folder", "", 0o777],
  ["the store", "troupe.db", 0o666],
  ["what stands beside it", "troupe.db-bell", 0o602],
])("%s is not used while others may write to it", (_, name, mode) => {
  open();
  const path = join(root, "a", "state", name);
  const before = statSync(path).mode & 0o777;
  chmodSync(path, mode);
  expect(fault()).toMatchObject({ code: "SYSTEM.STORE.SHARED", message: expect.stringContaining("chmod go-w") });
  chmodSync(path, before);
  open();
});

test("a place where no folder can be made is reported at once", () => {
  expect(fault("/proc/troupe/troupe.db")).toMatchObject({ code: "SYSTEM.STORE.UNUSABLE" });
});

test("a link in the place of the bell is not written through", () => {
  open();
  const precious = join(root, "precious");
  writeFileSync(precious, "precious");
  rmSync(`${file}-bell`);
  symlinkSync(precious, `${file}-bell`);
  expect(fault()).toMatchObject({ code: "SYSTEM.STORE.UNUSABLE" });
  expect(readFileSync(precious, "utf8")).toBe("precious");
});

test.each(["troupe.db", "troupe.db-wal", "troupe.db-bell"])(
  "a pipe in the place of %s is reported, and not waited for",
  (name) => {
    mkdirSync(join(root, "a", "state"), { recursive: true, mode: 0o700 });
    expect(spawnSync("mkfifo", ["-m", "600", join(root, "a", "state", name)]).status).toBe(0);
    const message = expect.stringContaining(`${name} is not an ordinary file`);
    expect(fault()).toMatchObject({ code: "SYSTEM.STORE.UNUSABLE", message });
  },
);

describe("what is wrong with a store has its code, and nothing is changed", () => {
  test("its pages are overwritten", () => {
    open();
    const bytes = readFileSync(file);
    for (let i = 0; i < bytes.length; i += 4096) bytes.fill(0xff, i + 100, i + 164);
    writeFileSync(file, bytes);
    expect(fault()).toMatchObject({ code: "SYSTEM.STORE.DAMAGED", message: expect.stringContaining("Move it away") });
    expect(readFileSync(file)).toEqual(bytes);
  });
  test("it never was one", () => {
    mkdirSync(join(root, "a", "state"), { recursive: true, mode: 0o700 });
    writeFileSync(file, "no store\n".repeat(1_000), { mode: 0o600 });
    expect(fault()).toMatchObject({ code: "SYSTEM.STORE.DAMAGED" });
    expect(readFileSync(file, "utf8").startsWith("no store")).toBe(true);
  });
  test("another process keeps it to itself", () => {
    open();
    const other = new DatabaseSync(file);
    other.exec("pragma locking_mode=exclusive; begin immediate; insert into setting values('x','y'); commit");
    const message = expect.stringContaining("brings it up to date: try again in a moment");
    expect(fault()).toMatchObject({ code: "SYSTEM.STORE.BUSY", message });
    other.close();
    open();
  });
  test("it is of a later version", () => {
    open();
    const other = new DatabaseSync(file);
    other.exec(`pragma user_version=${SCHEMA_VERSION + 1}`);
    other.close();
    expect(fault()).toMatchObject({ code: "SYSTEM.STORE.NEWER" });
    expect(fault()).not.toMatchObject({ message: expect.stringContaining("As this version left it") });
    writeFileSync(`${file}.v${SCHEMA_VERSION}`, "");
    const kept = `As this version left it the store is kept in ${file}.v${SCHEMA_VERSION}.`;
    expect(fault()).toMatchObject({ message: expect.stringContaining(kept) });
  });
});
