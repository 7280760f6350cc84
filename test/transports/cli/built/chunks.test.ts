import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Chunks } from "../../../../transports/cli/built/chunks.ts";
import { CodeCache } from "../../../../transports/cli/built/code-cache.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-chunks-"));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const chunk = (name: string, body: string): string => {
  const path = join(folder, name);
  writeFileSync(path, `(function (exports, require, module, __filename) {"use strict";${body}\n})`);
  return path;
};
const cache = (): CodeCache => new CodeCache(join(folder, "cache"), "acp");

test("a chunk runs once, before what needs it, and may need one that needs it", () => {
  const main = chunk("main.cjs", 'exports.order = ["main"]; const b = require("./b.cjs"); exports.order.push(b.name);');
  chunk("b.cjs", 'const main = require("./main.cjs"); main.order.push("b"); exports.name = "after b";');
  const chunks = new Chunks(null);
  expect(chunks.load(main)).toEqual({ order: ["main", "b", "after b"] });
  expect(chunks.load(main)).toBe(chunks.load(main));
});

test("a chunk has Node's own modules, its own name, and an error for what is not there", () => {
  const path = chunk("main.cjs", 'exports.of = [require("node:path").sep, require("path").sep, __filename];');
  expect(new Chunks(null).load(path)).toEqual({ of: ["/", "/", path] });
  const lacking = chunk("lacking.cjs", 'exports.of = require("no-such-library");');
  expect(() => new Chunks(null).load(lacking)).toThrow("Cannot find module 'no-such-library'");
});

test("functions that ran are kept after a while, and the next process compiles nothing", () => {
  const main = chunk("main.cjs", `exports.late = () => ${JSON.stringify("x".repeat(40))};`);
  const first = new Chunks(cache());
  const { late } = first.load(main) as { late: () => string };
  vi.advanceTimersByTime(4_999);
  expect(cache().code("main.cjs")).toBe(undefined);
  vi.advanceTimersByTime(1);
  const before = cache().code("main.cjs")?.length ?? 0;
  late();
  const other = chunk("other.cjs", "");
  first.load(other);
  vi.advanceTimersByTime(5_000);
  const after = cache().code("main.cjs")?.length ?? 0;
  expect(before).toBeGreaterThan(0);
  expect(after).toBeGreaterThan(before);

  const kept = cache();
  const save = vi.spyOn(kept, "save");
  const second = new Chunks(kept);
  expect((second.load(main) as { late: () => string }).late()).toBe("x".repeat(40));
  second.load(other);
  vi.advanceTimersByTime(60_000);
  expect(save).not.toHaveBeenCalled();
});

test("code of another text is refused, and kept anew", () => {
  const main = chunk("main.cjs", "exports.of = 1;");
  new Chunks(cache()).load(main);
  vi.advanceTimersByTime(5_000);
  chunk("main.cjs", "exports.of = 1 + 1; // longer");
  expect(new Chunks(cache()).load(main)).toEqual({ of: 2 });
});
