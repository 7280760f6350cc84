/** What the system refuses of the folder of packs, in our words; what comes and goes is covered by packs.test.ts. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Shelf } from "../../../actors/packs/shelf.ts";

function place() {
  const root = mkdtempSync(join(tmpdir(), "troupe-shelf-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "packs");
  const code = "SYSTEM.IO.WRITE_FAILED";
  const refused = { code, message: expect.stringContaining(`cannot write in ${folder}: `), details: { folder } };
  return { root, folder, shelf: new Shelf(folder, () => 0), refused };
}

test("a pack that cannot be taken away", async () => {
  const { folder, shelf, refused } = place();
  mkdirSync(folder);
  await expect(shelf.remove("gone")).rejects.toMatchObject(refused);
});

test("a folder that cannot be put in order, whatever is asked of it", async () => {
  const { root, folder, shelf, refused } = place();
  writeFileSync(folder, "");
  mkdirSync(join(root, ".pack-old-one"));
  await expect(shelf.put(async () => "two")).rejects.toMatchObject(refused);
  await expect(shelf.remove("one")).rejects.toMatchObject(refused);
});

test.each(["", ".", "..", "../workflows", "one/deep", "one/"])("no pack is named %j", async (name) => {
  const { root, folder, shelf } = place();
  mkdirSync(join(root, "workflows"));
  mkdirSync(join(folder, "one", "deep"), { recursive: true });
  expect(await shelf.has(name)).toBe(false);
  expect(await shelf.has("one")).toBe(true);
});

test("several changes of one pack at once come one after the other", async () => {
  const { root, folder } = place();
  const put = async (text: string): Promise<string> =>
    await new Shelf(folder, () => 0).put(async (content) => {
      for (let file = 0; file < 20; file++) writeFileSync(join(content, `${file}.txt`), text);
      return "one";
    });
  for (let round = 0; round < 10; round++) await Promise.all(["a", "b", "c", "d"].map(put));
  const texts = readdirSync(join(folder, "one")).map((file) => readFileSync(join(folder, "one", file), "utf8"));
  expect([texts.length, new Set(texts).size]).toEqual([20, 1]);
  await new Shelf(folder, () => 0).settle();
  expect(readdirSync(root)).toEqual(["packs"]);
});
