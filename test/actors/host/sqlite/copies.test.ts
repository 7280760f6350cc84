/** Copies of a store: what is copied, and what is refused in which words. */
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { copyStore } from "../../../../actors/host/sqlite/copies.ts";
import { BESIDE, fault, file, folder, put, root, state, texts } from "./store-files.ts";

const copy = () => copyStore({ file, folder, id: "id", beside: [] });

describe("a copy", () => {
  test("has the log first, and what stands beside it", () => {
    for (const name of ["troupe.db", ...BESIDE, "other.db"]) put(join(state, name), name);
    expect(copy()).toEqual(["troupe.db", ...BESIDE]);
    expect(texts(folder)).toEqual({
      "troupe.db": "troupe.db",
      "attachments.db": BESIDE[0],
      "conversations.db": BESIDE[1],
    });
    expect(readdirSync(root).sort()).toEqual(["copy", "state"]);
  });
  test("has what is there alone, and may go into a folder that is empty", () => {
    put(file, "log");
    mkdirSync(folder);
    expect(copy()).toEqual(["troupe.db"]);
    expect(texts(folder)).toEqual({ "troupe.db": "log" });
  });
  test("leaves a folder that is there in its place, also behind a link (I1)", () => {
    for (const name of ["troupe.db", ...BESIDE]) put(join(state, name), name);
    mkdirSync(folder);
    const { ino } = statSync(folder);
    const link = join(root, "link");
    symlinkSync(folder, link);
    expect(copyStore({ file, folder: link, id: "id", beside: [] })).toEqual(["troupe.db", ...BESIDE]);
    expect(statSync(folder).ino).toBe(ino);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual([...BESIDE, "troupe.db"].sort());
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });
  test("is not made into a folder that holds something", () => {
    put(file, "log");
    mkdirSync(folder);
    writeFileSync(join(folder, "mine"), "");
    const message = `${folder} is not empty, and nothing was written`;
    expect(fault(copy)).toEqual({ code: "USER.CLI.EXISTS", message, details: { folder } });
    expect(readdirSync(folder)).toEqual(["mine"]);
  });
  test.skipIf(!existsSync("/proc/self"))(
    "is refused at once where no folder can be made (skipped where there is no /proc)",
    () => {
      put(file, "log");
      // In a process of its own: what looks for ever does not let a test end it.
      const module = pathToFileURL(join(import.meta.dirname, "../../../../actors/host/sqlite/copies.ts")).href;
      const asked = JSON.stringify({ file, folder: "/proc/troupe-copy", id: "one", beside: [] });
      const code = `const { copyStore } = await import(${JSON.stringify(module)});
      try { copyStore(${asked}); } catch (error) { console.log(error.code); }`;
      const options = { encoding: "utf8", timeout: 20_000 } as const;
      const { stdout, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", code], options);
      expect([stdout, signal]).toEqual(["ENOENT\n", null]);
    },
  );
  test("is not made of nothing", () => {
    const message = `there is no store at ${file}: nothing is to be copied`;
    expect(fault(copy)).toEqual({ code: "USER.CLI.USAGE", message, details: { file } });
    expect(readdirSync(root)).toEqual(["state"]);
  });
  test("leaves nothing when it fails", () => {
    put(file, "log");
    const damaged = join(state, "attachments.db");
    writeFileSync(damaged, "no store\n".repeat(1_000));
    const message = `${damaged} cannot be copied: file is not a database`;
    expect(fault(copy)).toEqual({ code: "SYSTEM.STORE.DAMAGED", message, details: { file: damaged } });
    expect(readdirSync(root)).toEqual(["state"]);
  });
  test("says of a store that cannot be read that it is that", () => {
    mkdirSync(file);
    const message = expect.stringContaining(`${file} cannot be copied: `);
    expect(fault(copy)).toEqual({ code: "SYSTEM.STORE.UNUSABLE", message, details: { file } });
    expect(readdirSync(root)).toEqual(["state"]);
  });
});
