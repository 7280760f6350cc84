import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CodeCache } from "../../../../transports/cli/built/code-cache.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-code-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = (): string => join(folder, "inner");
const file = (): string => join(place(), "code-acp");
const open = (): CodeCache => new CodeCache(place(), "acp");
const save = (code: { [chunk: string]: string }): void =>
  open().save(new Map(Object.entries(code).map(([chunk, text]) => [chunk, Buffer.from(text)])));
const found = (chunk: string): string | undefined => open().code(chunk)?.toString();

test("what one process keeps, the next one finds", () => {
  expect(found("a.cjs")).toBe(undefined);
  save({ "a.cjs": "code of a", "b.cjs": "code of b" });
  expect([found("a.cjs"), found("b.cjs"), found("c.cjs"), found("constructor")]).toEqual([
    "code of a",
    "code of b",
    undefined,
    undefined,
  ]);
});

test("what others loaded stays, and less than there was is not news", () => {
  save({ "a.cjs": "much code", "b.cjs": "code of b" });
  save({ "a.cjs": "little", "c.cjs": "code of c" });
  expect([found("a.cjs"), found("b.cjs"), found("c.cjs")]).toEqual(["much code", "code of b", "code of c"]);
  save({ "a.cjs": "even more code" });
  expect(found("a.cjs")).toBe("even more code");
});

test("the files are the user's alone", () => {
  save({ "a.cjs": "code" });
  expect(statSync(place()).mode & 0o777).toBe(0o700);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test("a file that others may write is not read", () => {
  save({ "a.cjs": "code" });
  chmodSync(file(), 0o620);
  expect(found("a.cjs")).toBe(undefined);
  chmodSync(file(), 0o602);
  expect(found("a.cjs")).toBe(undefined);
  chmodSync(file(), 0o600);
  expect(found("a.cjs")).toBe("code");
});

test("every damaged byte makes its chunk one that is not kept", () => {
  save({ "a.cjs": "code of a", "b.cjs": "code of b" });
  const whole = readFileSync(file());
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0x11;
    writeFileSync(file(), damaged);
    for (const [chunk, code] of [["a.cjs", "code of a"] as const, ["b.cjs", "code of b"] as const])
      expect([undefined, code]).toContain(found(chunk));
    expect([found("a.cjs"), found("b.cjs")]).not.toEqual(["code of a", "code of b"]);
  }
  for (const length of [0, 3, 4, whole.length - 1]) {
    writeFileSync(file(), whole.subarray(0, length));
    expect(found("b.cjs")).toBe(undefined);
  }
  save({ "a.cjs": "code of a" });
  expect(found("a.cjs")).toBe("code of a");
});

test("of many files the oldest go", () => {
  for (let at = 0; at < 15; at++) {
    new CodeCache(place(), `c${at}`).save(new Map([["a.cjs", Buffer.from("code")]]));
    utimesSync(join(place(), `code-c${at}`), at, at);
  }
  new CodeCache(place(), "last").save(new Map([["a.cjs", Buffer.from("code")]]));
  const names = readdirSync(place());
  expect(names.length).toBe(12);
  expect(names).toContain("code-last");
  expect(names).not.toContain("code-c3");
});

test("where nothing can be written nothing is kept", () => {
  writeFileSync(place(), "a file, no folder");
  save({ "a.cjs": "code" });
  expect(found("a.cjs")).toBe(undefined);
});
