import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../../actors/base/make-folder.ts";

test("a folder is made with those above it, for this user alone; one that is there stays; a file in the way is a fault", () => {
  const root = mkdtempSync(join(tmpdir(), "troupe-folder-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  makeFolder(join(root, "a/b"));
  expect([join(root, "a"), join(root, "a/b")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  makeFolder(join(root, "a/b"));
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolder(join(root, "file"))).toThrow(`${join(root, "file")} is no folder`);
  expect(() => makeFolder(join(root, "file/a/b"))).toThrow(`${join(root, "file")} is no folder`);
});
