/** Covers `store-folder.ts`: what opening a store may come to, in its own words. */
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TroupeError } from "../../../../actors/errors/troupe-error.ts";
import { NETWORK_VARIABLE, openStore } from "../../../../actors/host/sqlite/store-folder.ts";

const network = { name: null as string | null, asked: [] as string[] };
const networkOf = (folder: string): string | null => {
  network.asked.push(folder);
  return network.name;
};

let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-faults-"));
  file = join(root, "a", "b", "troupe.db");
  Object.assign(network, { name: null, asked: [] });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function fault(open: () => unknown = () => "opened", environment = {}): unknown {
  const mask = process.umask();
  try {
    return openStore(file, environment, open, networkOf);
  } catch (error) {
    expect(error).toBeInstanceOf(TroupeError);
    const { code, message, details } = error as TroupeError;
    return { code, message, details };
  } finally {
    expect(process.umask()).toBe(mask);
  }
}

test("a store is opened in a folder that is made for it, all of it", () => {
  expect(fault(() => existsSync(dirname(file)))).toBe(true);
  expect(fault(() => "again")).toBe("again");
  expect(network.asked).toEqual([dirname(file), dirname(file)]);
});

test("a folder of another machine is used only when the user says so", () => {
  network.name = "nfs";
  const folder = dirname(file);
  const message = `the store's folder ${folder} lies on a network file system (nfs): other machines do not see its locks. Set TROUPE_HOME to a folder of this machine, or TROUPE_NETWORK_STORE=1 where no other machine uses it`;
  const refused = { code: "SYSTEM.STORE.NETWORK", message, details: { folder, fileSystem: "nfs" } };
  expect(fault()).toEqual(refused);
  expect(fault(undefined, { [NETWORK_VARIABLE]: "0" })).toEqual(refused);
  expect(fault(undefined, { [NETWORK_VARIABLE]: "1" })).toBe("opened");
});

describe("what others may write to is refused", () => {
  const refused = (path: string) => ({
    code: "SYSTEM.STORE.SHARED",
    message: `others may write to ${path}, where the store keeps what runs: look who did, then chmod go-w ${path}`,
    details: { file: path },
  });
  test.each(["", "-wal", "-shm", "-bell"])("the file with the end %j", (end) => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}${end}`, "");
    chmodSync(`${file}${end}`, 0o602);
    expect(fault()).toEqual(refused(`${file}${end}`));
    chmodSync(`${file}${end}`, 0o604);
    expect(fault()).toBe("opened");
  });
  test("the folder", () => {
    fault();
    chmodSync(dirname(file), 0o702);
    expect(fault()).toEqual(refused(dirname(file)));
  });
  test.skipIf(process.getuid?.() !== 0)("a group may, where it is the user's own", () => {
    fault();
    writeFileSync(file, "");
    chmodSync(file, 0o660);
    expect(fault()).toBe("opened");
    chownSync(file, 0, 1);
    expect(fault()).toEqual(refused(file));
    chmodSync(file, 0o640);
    expect(fault()).toBe("opened");
  });
});

describe("whatever goes wrong has a code and says what to do", () => {
  const failing = (error: unknown) => () => {
    throw error;
  };
  const sqlite = (message: string, errcode: number) => Object.assign(new Error(message), { errcode });
  test.each<[unknown, string, string]>([
    [new Error("no"), "SYSTEM.STORE.UNUSABLE", "no. Set TROUPE_HOME to a folder that can be written."],
    ["a text", "SYSTEM.STORE.UNUSABLE", "a text. Set TROUPE_HOME to a folder that can be written."],
    [
      new Error("of a later version"),
      "SYSTEM.STORE.NEWER",
      "of a later version. Use that version, or set TROUPE_HOME to another folder.",
    ],
    [
      sqlite("locked", 5),
      "SYSTEM.STORE.BUSY",
      "locked. Another process keeps it to itself, as one does that brings it up to date: try again in a moment, or end that one.",
    ],
    [
      sqlite("malformed", 11),
      "SYSTEM.STORE.DAMAGED",
      "malformed. Move it away with its -wal file, or put a copy of yours back. Nothing was changed.",
    ],
    [
      sqlite("full", 13),
      "SYSTEM.IO.WRITE_FAILED",
      "full. Make room on its disk and in the folder for temporary files. Nothing was changed.",
    ],
  ])("%s", (error, code, said) => {
    expect(fault(failing(error))).toEqual({
      code,
      message: `cannot use the store ${file}: ${said}`,
      details: { file },
    });
  });
  test("and is what it is, where it has one already", () => {
    const own = new TroupeError("SYSTEM.STORE.SHARED", "as it was", { file: "x" });
    expect(() => openStore(file, {}, failing(own))).toThrow(own);
  });
  test("also a file where a folder is to be, or a folder where a file is", () => {
    writeFileSync(join(root, "a"), "");
    const inTheWay = `cannot use the store ${file}: ${join(root, "a")} is no folder. Set TROUPE_HOME to a folder that can be written.`;
    expect(fault()).toEqual({ code: "SYSTEM.STORE.UNUSABLE", message: inTheWay, details: { file } });
    rmSync(join(root, "a"));
    mkdirSync(`${file}-wal`, { recursive: true, mode: 0o700 });
    const message = `cannot use the store ${file}: ${file}-wal is not an ordinary file. Set TROUPE_HOME to a folder that can be written.`;
    expect(fault()).toEqual({ code: "SYSTEM.STORE.UNUSABLE", message, details: { file } });
  });
});
