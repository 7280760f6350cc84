/** Packs installed anew from where they came. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Packs } from "../../../actors/api/packs.ts";
import { openPacks } from "../../../actors/packs/packs.ts";

let root: string;
let packs: Packs;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-packs-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folders = { project: join(root, "packs"), user: join(root, "user") };
  packs = openPacks({ cwd: root, folders, now: () => 0 });
});

/** A folder with a pack. */
function source(folder: string, { name = folder, version = "1.0.0" } = {}): string {
  mkdirSync(join(root, folder, "workflows"), { recursive: true });
  writeFileSync(
    join(root, folder, "manifest.yaml"),
    `name: ${name}\nversion: ${version}\ndescription: x\nworkflows: [hi]\n`,
  );
  writeFileSync(join(root, folder, "workflows", "hi.yaml"), "name: hi\nstates: {initial: d, d: {type: terminal}}\n");
  return folder;
}

test("one whose source has become another pack stays, and no other one comes", async () => {
  await packs.install(source("one"));
  source("one", { name: "uno" });
  await expect(packs.update("one")).rejects.toThrow('"uno" now, and no longer "one": install it, and remove "one"');
  expect(await packs.list()).toMatchObject([{ name: "one", version: "1.0.0" }]);
});

test("of all, one that cannot be updated holds up no other, and what was done is told", async () => {
  for (const name of ["one", "two", "three"]) await packs.install(source(name));
  rmSync(join(root, "one"), { recursive: true });
  source("two", { version: "2.0.0" });
  writeFileSync(join(root, "packs", "three", "workflows", "hi.yaml"), "# mine\n");
  source("three", { version: "2.0.0" });
  const fault = await packs.update().catch((error: unknown) => error as Error);
  expect(fault).toMatchObject({ code: "USER.PACK.SOURCE", details: { updated: [{ name: "two", to: "2.0.0" }] } });
  expect(String(fault).split("\n")).toEqual([
    expect.stringContaining("one is not there"),
    expect.stringContaining('the pack "three" stays as it is'),
    "updated all the same: two (1.0.0 → 2.0.0)",
  ]);
  expect(await packs.info("two")).toMatchObject({ version: "2.0.0" });
});

test("what a person changed is put back by force, which is told", async () => {
  await packs.install(source("one"));
  writeFileSync(join(root, "packs", "one", "workflows", "hi.yaml"), "# mine\n");
  expect(await packs.update("one", { force: true })).toEqual([{ name: "one", from: "1.0.0", to: "1.0.0" }]);
  expect(await packs.info("one")).toMatchObject({ isChanged: false });
  expect(await packs.update("one", { force: true })).toEqual([]);
});
