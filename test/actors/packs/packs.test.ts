/**
 * Packs installed from folders, and packs that are there.
 *
 * P1. A pack is there whole or not at all, and nothing beside its folder changes (T23).
 * P2. An archive without a checksum, or with another one, is not installed.
 * P3. What a person changed is replaced or removed only by force.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cwd, filesOf, manifest, NOW, packs, refused, root, tree, WORKFLOW, write } from "./pack-files.ts";

function folder(path: string, files: { [name: string]: string }): string {
  for (const [name, text] of Object.entries(files)) write(join(path, name), text);
  return join(root, path);
}

describe("a folder", () => {
  test("is installed whole, with what it was made from, and without what is no part of it (P1)", async () => {
    const from = folder("mine", {
      ...filesOf(),
      "scripts/run.sh": "true",
      ".git/config": "x",
      "node_modules/a/b": "x",
    });
    chmodSync(join(from, "scripts/run.sh"), 0o4755);
    const { replaced, ...installed } = await packs.install(from);
    expect(replaced).toBe(null);
    expect(installed).toEqual({
      ...{ name: "review", version: "1.0.0", description: "Looks", scope: "project", workflows: ["hi"] },
      ...{
        path: join(cwd, ".troupe/workflow-packs/review"),
        source: from,
        isChanged: false,
        fault: null,
      },
    });
    expect((readdirSync(installed.path, { recursive: true }) as string[]).sort()).toEqual(
      [".troupe-pack.json", "manifest.yaml", "scripts", "scripts/run.sh", "workflows", "workflows/hi.yaml"].sort(),
    );
    expect(statSync(join(installed.path, "scripts/run.sh")).mode & 0o7777).toBe(0o755);
    expect(readdirSync(join(cwd, ".troupe"))).toEqual(["workflow-packs"]);
    expect(await packs.list()).toEqual([installed]);
    expect(await packs.info("review")).toEqual(installed);
  });

  test("is refused where it is to have a checksum, which a folder has not (P2)", async () => {
    const from = folder("mine", filesOf());
    await expect(packs.install(from, { sha256: "0".repeat(64) })).rejects.toThrow(refused("USER.PACK.SOURCE"));
    expect(await packs.list()).toEqual([]);
  });

  test("for the user stands beside the directory's own", async () => {
    const from = folder("mine", filesOf());
    await packs.install(from, { scope: "user" });
    await packs.install(from);
    expect((await packs.list()).map(({ scope, path }) => [scope, path])).toEqual([
      ["project", join(cwd, ".troupe/workflow-packs/review")],
      ["user", join(root, "user/packs/review")],
    ]);
  });

  test.each<[string, (from: string) => void]>([
    ["without a manifest", (from) => rmSync(join(from, "manifest.yaml"))],
    ["with a name that leads out", (from) => writeFileSync(join(from, "manifest.yaml"), manifest("../../x"))],
    ["with a link in it", (from) => symlinkSync("/etc/passwd", join(from, "workflows/passwd.yaml"))],
    ["with two names that are one elsewhere", (from) => writeFileSync(join(from, "MANIFEST.yaml"), "")],
  ])("%s is no pack, and nothing is left of it (P1)", async (_, spoil) => {
    const from = folder("mine", filesOf());
    spoil(from);
    const before = tree();
    await expect(packs.install(from)).rejects.toThrow(refused("USER.PACK.INVALID"));
    expect(tree().filter((path) => !before.includes(path))).toEqual(["work/.troupe", "work/.troupe/workflow-packs"]);
  });
});

test.each<[string, (from: string) => void, string]>([
  ["is not there", (from) => rmSync(join(from, "manifest.yaml")), "there is no manifest.yaml in it"],
  [
    "is not UTF-8",
    (from) => writeFileSync(join(from, "manifest.yaml"), Buffer.from([0xff])),
    "manifest.yaml cannot be read: line 1 is not UTF-8",
  ],
])("a manifest that %s is named without the folder that it is copied to", async (_, spoil, why) => {
  const from = folder("mine", filesOf());
  spoil(from);
  await expect(packs.install(from)).rejects.toThrow(`${from} is no pack: ${why}`);
});

test("an index is told that it is not there, or no file, in words", async () => {
  const from = folder("mine", filesOf());
  const asked = (index: string) => packs.search("", index);
  await expect(asked(`${from}/none.json`)).rejects.toThrow(`${from}/none.json cannot be read: it is not there`);
  await expect(asked(from)).rejects.toThrow(`${from} cannot be read: it is a folder`);
});

test.each([
  "http://example.invalid/a.tar.gz",
  "https://me:pass@example.invalid/a.tar.gz",
  "ftp://example.invalid/a.tar.gz",
  "./none",
])("%s is no source", async (source) => {
  await expect(packs.install(source)).rejects.toThrow(refused("USER.PACK.SOURCE"));
});

describe("a pack that is there", () => {
  test("and was changed is replaced, updated and removed by force alone (P3)", async () => {
    const from = folder("mine", filesOf());
    const { path } = await packs.install(from);
    writeFileSync(join(path, "workflows/hi.yaml"), "mine");
    expect(await packs.info("review")).toMatchObject({ isChanged: true });
    const kept = refused("USER.PACK.CHANGED");
    await expect(packs.install(from)).rejects.toThrow(kept);
    await expect(packs.update("review")).rejects.toThrow(kept);
    await expect(packs.remove("review")).rejects.toThrow(kept);
    expect(readFileSync(join(path, "workflows/hi.yaml"), "utf8")).toBe("mine");
    expect(await packs.install(from, { force: true })).toMatchObject({ isChanged: false });
    expect(await packs.remove("review")).toMatchObject({ name: "review" });
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(join(cwd, ".troupe"))).toEqual(["workflow-packs"]);
    await expect(packs.remove("review")).rejects.toThrow(refused("USER.FACADE.PACK_NOT_FOUND"));
  });

  test("and was made by hand is listed, and is never replaced (P3)", async () => {
    folder("work/.troupe/workflow-packs/review", filesOf());
    expect(await packs.list()).toMatchObject([{ name: "review", source: null, isChanged: false }]);
    for (const attempt of [
      () => packs.install(folder("mine", filesOf())),
      () => packs.remove("review"),
      () => packs.update("review"),
    ])
      await expect(attempt()).rejects.toThrow(refused("USER.PACK.CHANGED"));
    expect(await packs.update()).toEqual([]);
  });

  test("and whose source has other files now is installed anew", async () => {
    const from = folder("mine", filesOf());
    await packs.install(from);
    expect(await packs.update()).toEqual([]);
    write("mine/workflows/hi.yaml", `${WORKFLOW}# more\n`);
    expect(await packs.update()).toEqual([{ name: "review", from: "1.0.0", to: "1.0.0" }]);
  });
});

test("what a dead process left is settled by the next change (P1)", async () => {
  const { path } = await packs.install(folder("mine", filesOf()));
  const beside = join(cwd, ".troupe");
  renameSync(path, join(beside, ".pack-old-review"));
  mkdirSync(join(beside, ".pack-new-fresh"));
  mkdirSync(join(beside, ".pack-new-stale"));
  utimesSync(join(beside, ".pack-new-fresh"), NOW / 1000, NOW / 1000);
  utimesSync(join(beside, ".pack-new-stale"), NOW / 1000 - 7200, NOW / 1000 - 7200);
  await packs.install(folder("second", filesOf("second")));
  expect(readdirSync(beside).sort()).toEqual([".pack-new-fresh", "workflow-packs"]);
  expect((await packs.list()).map(({ name }) => name)).toEqual(["review", "second"]);
});
