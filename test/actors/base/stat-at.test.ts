import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lstatAt, statAt } from "../../../actors/base/stat-at.ts";

it("finds what is there, and nothing where nothing can be", () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "file"), "");
  symlinkSync("loop", join(folder, "loop"));
  symlinkSync("nowhere", join(folder, "lost"));
  expect([statAt(join(folder, "file"))?.isFile(), lstatAt(join(folder, "loop"))?.isSymbolicLink()]).toEqual([
    true,
    true,
  ]);
  for (const path of ["none", "file/below", "loop", "loop/below", "lost", "a".repeat(300)])
    expect(statAt(join(folder, path)), path).toBeUndefined();
  expect(lstatAt(join(folder, "file", "below"))).toBeUndefined();
  expect(() => statAt("a\0b")).toThrow();
});
