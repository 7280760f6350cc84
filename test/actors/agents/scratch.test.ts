import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { withScratch } from "../../../actors/agents/scratch.ts";

describe("a scratch folder", () => {
  it("is this user's alone, and is gone after the work, however that ends (I1)", async () => {
    const files: string[] = [];
    const work = withScratch(async (scratch) => {
      const file = scratch.file("below/secret.txt", "s3cret");
      files.push(file);
      expect(readFileSync(file, "utf8")).toBe("s3cret");
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(dirname(file))).mode & 0o777).toBe(0o700);
      throw new Error("stopped");
    });
    await expect(work).rejects.toThrow("stopped");
    expect(files.map((file) => existsSync(dirname(dirname(file))))).toEqual([false]);
  });

  it("is not made when nothing is asked of it", async () => {
    expect(await withScratch(async () => "done")).toBe("done");
  });

  it("that a dead process left is removed, that of a live one is kept (I2)", async () => {
    const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
    await once(child, "exit");
    const dead = join(tmpdir(), `troupe-agent-${child.pid}-left`);
    const live = join(tmpdir(), `troupe-agent-${process.pid}-other`);
    mkdirSync(dead);
    mkdirSync(live);
    try {
      await withScratch(async (scratch) => scratch.path("x"));
      expect([existsSync(dead), existsSync(live)]).toEqual([false, true]);
    } finally {
      rmSync(live, { recursive: true });
      rmSync(dead, { recursive: true, force: true });
    }
  });
});
