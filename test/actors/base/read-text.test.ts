import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readText } from "../../../actors/base/read-text.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-text-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(bytes: Buffer): string {
  const file = join(folder, "w.yaml");
  writeFileSync(file, bytes);
  return file;
}

test.each([
  ["Latin-1", Buffer.from("name: w\ndescription: caf\u00e9\n", "latin1"), 2],
  ["UTF-16", Buffer.from("\uFEFFname: w\n", "utf16le"), 1],
])("what is not UTF-8 is refused with its line, as %s (I2)", (_, bytes, line) => {
  const file = written(bytes);
  const message = `${file} cannot be read: line ${line} is not UTF-8; save the file as UTF-8`;
  expect(() => readText(file)).toThrow(expect.objectContaining({ code: "SYSTEM.IO.READ_FAILED", message }));
});

test("a file that is cut within a letter comes back, to be refused by its size (I1)", () => {
  const file = written(Buffer.from("\u00e9\u00e9\u00e9"));
  expect(readText(file, { limit: 4 }).text).toBe("\u00e9\u00e9\uFFFD");
  expect(readText(file, { limit: 6 }).text).toBe("\u00e9\u00e9\u00e9");
});
