import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectFolder } from "../../../actors/catalogue/project-folder.ts";

function tree(...folders: string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-project-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  return root;
}

test.each([
  ["the repository's root", ["repo/.git/HEAD", "repo/.troupe/workflows", "repo/a/b"], "repo/a/b", "repo"],
  [
    "the nearest folder that has workflows",
    ["repo/.git/HEAD", "repo/.troupe/workflows", "repo/a/.awf/workflows", "repo/a/b"],
    "repo/a/b",
    "repo/a",
  ],
  ["a folder of packs", ["repo/.git/HEAD", "repo/.awf/workflow-packs", "repo/a"], "repo/a", "repo"],
  ["itself, where there are none", ["repo/.git/HEAD", "repo/a"], "repo/a", "repo/a"],
  [
    "itself, where they stand above the repository (I1)",
    [".troupe/workflows", "repo/.git/HEAD", "repo/a"],
    "repo/a",
    "repo/a",
  ],
  ["itself, outside of a repository (I1)", [".troupe/workflows", "a"], "a", "a"],
])("%s", (_, folders, cwd, found) => {
  const root = tree(...folders);
  expect(projectFolder(join(root, cwd))).toBe(join(root, found));
});
