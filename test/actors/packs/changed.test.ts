/** What a person puts into an installed pack is a change of it, whatever it is (P3 of `packs.test.ts`). */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPacks } from "../../../actors/packs/packs.ts";
import { digestOf } from "../../../actors/packs/record.ts";

const installed = async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-packs-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const source = join(root, "src");
  mkdirSync(join(source, "workflows"), { recursive: true });
  writeFileSync(join(source, "manifest.yaml"), "name: one\nversion: 1.0.0\ndescription: x\nworkflows: [hi]\n");
  writeFileSync(join(source, "workflows", "hi.yaml"), "name: hi\nstates: {initial: d, d: {type: terminal}}\n");
  const folders = { project: join(root, "packs"), user: join(root, "user") };
  const packs = openPacks({ cwd: root, folders, now: () => 0 });
  const { path } = await packs.install(source);
  return { packs, path };
};

test.each([
  ["a link to a folder", tmpdir()],
  ["a link to a file", "manifest.yaml"],
  ["a link that leads nowhere", "/nowhere/at/all"],
])("%s", async (_, target) => {
  const { packs, path } = await installed();
  symlinkSync(target, join(path, "added"));
  expect(await packs.list()).toMatchObject([{ name: "one", isChanged: true, fault: null }]);
  await expect(packs.remove("one")).rejects.toMatchObject({ code: "USER.PACK.CHANGED" });
  rmSync(join(path, "added"));
  expect(await packs.list()).toMatchObject([{ name: "one", isChanged: false }]);
});

test("a link to a folder is not followed: what lies there is no part of the pack", async () => {
  const { path } = await installed();
  const folder = mkdtempSync(join(tmpdir(), "troupe-linked-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(folder, join(path, "added"));
  const before = await digestOf(path);
  writeFileSync(join(folder, "other"), "not of the pack");
  expect(await digestOf(path)).toBe(before);
});

test("what is no file and no link is not opened", async () => {
  const { packs, path } = await installed();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(path, "socket"), resolve));
  onTestFinished(() => void server.close());
  expect(await packs.list()).toMatchObject([{ name: "one", isChanged: true }]);
});
