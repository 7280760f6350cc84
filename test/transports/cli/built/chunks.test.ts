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

/** A chunk of one part, or of several; answers the id of the first. */
const chunk = (name: string, first: string, others: { [part: string]: string } = {}): string => {
  const body = ([part, code]: [string, string]) =>
    `${JSON.stringify(part)}: function (exports, require, module, __filename) {"use strict";${code}\n}`;
  const parts = Object.entries({ first, ...others }).map(body);
  writeFileSync(join(folder, name), `({${parts.join(",")}})`);
  return `${name}#first`;
};
const cache = (): CodeCache => new CodeCache(join(folder, "cache"), "acp");

test("a part runs once, when it is first used, and may need one that needs it", () => {
  const main = chunk(
    "main.cjs",
    'exports.order = ["main"]; const b = require("./b.cjs#first"); exports.order.push(b.name);',
    { unused: 'throw new Error("nobody used this");' },
  );
  chunk("b.cjs", 'const main = require("./main.cjs#first"); main.order.push("b"); exports.name = "after b";');
  const chunks = new Chunks(folder, null);
  expect(chunks.load(main)).toEqual({ order: ["main", "b", "after b"] });
  expect(chunks.load(main)).toBe(chunks.load(main));
  expect(() => chunks.load("main.cjs#unused")).toThrow("nobody used this");
});

test("a part that failed runs again when it is used again, and one that is not there is an error", () => {
  const main = chunk("main.cjs", 'exports.of = require("./later.cjs#first").of;');
  const chunks = new Chunks(folder, null);
  expect(() => chunks.load(main)).toThrow("later.cjs");
  chunk("later.cjs", "exports.of = 1;");
  expect(chunks.load(main)).toEqual({ of: 1 });
  expect(() => chunks.load("main.cjs#other")).toThrow("main.cjs has no part other: install Troupe anew");
});

test("a process that lives on reads its own chunks, also once another build stands in their place (I4)", () => {
  const main = chunk("main.cjs", 'exports.later = () => require("./later-1.cjs#first");');
  chunk("later-1.cjs", "exports.of = 1;");
  const chunks = new Chunks(folder, null);
  chunks.hold();
  const { later } = chunks.load(main) as { later: () => object };
  vi.advanceTimersByTime(1_000);
  rmSync(join(folder, "later-1.cjs"));
  chunk("later-2.cjs", "exports.of = 2;");
  expect(later()).toEqual({ of: 1 });
  expect(() => chunks.load("gone-1.cjs#first")).toThrow("end this process and start it again");
});

test("while nothing is asked for, what stands beside the parts that ran runs too (I3)", async () => {
  const main = chunk("main.cjs", "exports.ran = [];", { beside: 'require("./main.cjs#first").ran.push("beside");' });
  const shared = chunk("shared-1.cjs", "", { far: 'throw new Error("nobody used this");' });
  const chunks = new Chunks(folder, null);
  chunks.ahead(() => ran.push("all"));
  const { ran } = chunks.load(main) as { ran: string[] };
  vi.advanceTimersByTime(149);
  chunks.load(shared);
  vi.advanceTimersByTime(149);
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ran).toEqual(["beside", "all"]);
});

test("a part has Node's own modules, its chunk's name, and an error for what is not there", () => {
  const main = chunk("main.cjs", 'exports.of = [require("node:path").sep, require("path").sep, __filename];');
  expect(new Chunks(folder, null).load(main)).toEqual({ of: ["/", "/", join(folder, "main.cjs")] });
  const lacking = chunk("lacking.cjs", 'exports.of = require("no-such-library");');
  expect(() => new Chunks(folder, null).load(lacking)).toThrow("Cannot find module 'no-such-library'");
});

test("functions that ran are kept after a while, and the next process compiles nothing", () => {
  const main = chunk("main.cjs", `exports.late = () => ${JSON.stringify("x".repeat(40))};`);
  const first = new Chunks(folder, cache());
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
  const second = new Chunks(folder, kept);
  expect((second.load(main) as { late: () => string }).late()).toBe("x".repeat(40));
  second.load(other);
  vi.advanceTimersByTime(60_000);
  expect(save).not.toHaveBeenCalled();
});

test("code of another text is refused, and kept anew", () => {
  const main = chunk("main.cjs", "exports.of = 1;");
  new Chunks(folder, cache()).load(main);
  vi.advanceTimersByTime(5_000);
  chunk("main.cjs", "exports.of = 1 + 1;");
  expect(new Chunks(folder, cache()).load(main)).toEqual({ of: 2 });
});
