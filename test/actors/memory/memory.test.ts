import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { conversationTable } from "../../../actors/host/sqlite/conversations.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import { openMemory } from "../../../actors/memory/memory.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-memory-"));
  file = join(folder, "below", "conversations.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a conversation", () => {
  it("is kept in order, for its session alone (I1, I2)", () => {
    const memory = openMemory(conversationTable(file), new Masking());
    const a = memory.of("session/a");
    expect(a.read("c")).toEqual([]);
    a.add("c", [{ n: 1 }, { n: 2 }]);
    a.add("c", []);
    a.add("d", [{ n: 9 }]);
    a.add("c", [{ n: 3 }]);
    expect(openMemory(conversationTable(file), new Masking()).of("session/a").read("c")).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
    expect(memory.of("session/b").read("c")).toEqual([]);
  });

  it("goes with its session (I2)", () => {
    const memory = openMemory(conversationTable(file), new Masking());
    conversationTable(file).forget("session/a");
    memory.of("session/a").add("c", [1]);
    memory.of("session/b").add("c", [2]);
    conversationTable(file).forget("session/a");
    expect([memory.of("session/a").read("c"), memory.of("session/b").read("c")]).toEqual([[], [2]]);
  });

  it("is there after a kill -9 right behind `add` (I1)", () => {
    const url = (path: string): string => JSON.stringify(new URL(`../../../actors/${path}`, import.meta.url).href);
    const code = `const { openMemory } = await import(${url("memory/memory.ts")});
      const { conversationTable } = await import(${url("host/sqlite/conversations.ts")});
      const { Masking } = await import(${url("masking/masking.ts")});
      openMemory(conversationTable(${JSON.stringify(file)}), new Masking()).of("session/a").add("c", ["said"]);
      process.kill(process.pid, "SIGKILL");`;
    const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    });
    expect(signal).toBe("SIGKILL");
    expect(openMemory(conversationTable(file), new Masking()).of("session/a").read("c")).toEqual(["said"]);
  });

  it("holds no secret as it is (I3)", () => {
    const secret = "s3cret-value-of-some-length";
    const masking = new Masking([["KEY", secret]]);
    const memory = openMemory(conversationTable(file), masking).of("session/a");
    memory.add("c", [{ content: `the key is ${secret}` }]);
    expect(memory.read("c")).toEqual([{ content: `the key is ${secret}` }]);
    expect(readFileSync(file).includes(secret)).toBe(false);
  });
});
