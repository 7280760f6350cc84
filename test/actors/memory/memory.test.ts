import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { conversationTable } from "../../../actors/host/sqlite/conversations.ts";
import { Masking } from "../../../actors/masking/masking.ts";
import { openMemory } from "../../../actors/memory/memory.ts";
import { conversationsIn } from "../../support/kept.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-memory-"));
  file = join(folder, "below", "conversations.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a conversation", () => {
  it("is kept in order, for its session alone (I1, I2)", async () => {
    const memory = openMemory(conversationsIn(file), new Masking());
    const a = memory.of("session/a");
    expect(await a.read("c")).toEqual([]);
    await a.add("c", [{ n: 1 }, { n: 2 }]);
    await a.add("c", []);
    await a.add("d", [{ n: 9 }]);
    await a.add("c", [{ n: 3 }]);
    expect(await openMemory(conversationsIn(file), new Masking()).of("session/a").read("c")).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
    expect(await memory.of("session/b").read("c")).toEqual([]);
  });

  it("goes with its session (I2)", async () => {
    const memory = openMemory(conversationsIn(file), new Masking());
    conversationTable(file).forget("session/a");
    await memory.of("session/a").add("c", [1]);
    await memory.of("session/b").add("c", [2]);
    conversationTable(file).forget("session/a");
    expect([await memory.of("session/a").read("c"), await memory.of("session/b").read("c")]).toEqual([[], [2]]);
  });

  it("is there after a kill -9 right behind `add` (I1)", async () => {
    const url = (path: string): string => JSON.stringify(new URL(`../../../actors/${path}`, import.meta.url).href);
    const code = `const { openMemory } = await import(${url("memory/memory.ts")});
      const { conversationsIn } = await import(${url("../test/support/kept.ts")});
      const { Masking } = await import(${url("masking/masking.ts")});
      await openMemory(conversationsIn(${JSON.stringify(file)}), new Masking()).of("session/a").add("c", ["said"]);
      process.kill(process.pid, "SIGKILL");`;
    const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    });
    expect(signal).toBe("SIGKILL");
    expect(await openMemory(conversationsIn(file), new Masking()).of("session/a").read("c")).toEqual(["said"]);
  });

  it("holds no secret as it is (I3)", async () => {
    const secret = "s3cret-value-of-some-length";
    const masking = new Masking([["KEY", secret]]);
    const memory = openMemory(conversationsIn(file), masking).of("session/a");
    await memory.add("c", [{ content: `the key is ${secret}` }]);
    expect(await memory.read("c")).toEqual([{ content: `the key is ${secret}` }]);
    expect(readFileSync(file).includes(secret)).toBe(false);
  });
});
