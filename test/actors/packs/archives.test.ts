/** Packs installed from archives (P1 and P2 of `packs.test.ts`). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sumOf } from "../../support/tar.ts";
import { archive, cwd, type Entry, entriesOf, filesOf, packs, refused, tree, WORKFLOW, write } from "./pack-files.ts";

describe("an archive", () => {
  test.each([[""], ["review-1.0.0/"], ["./"]])(
    "with its files in %j is installed by its checksum (P2)",
    async (top) => {
      const bytes = archive(entriesOf(filesOf()).map((entry) => ({ ...entry, path: top + entry.path })));
      const file = write("a/review.tar.gz", bytes);
      expect(await packs.install(file, { sha256: sumOf(bytes).toUpperCase() })).toMatchObject({
        name: "review",
        source: file,
      });
      expect(readFileSync(join(cwd, ".troupe/workflow-packs/review/workflows/hi.yaml"), "utf8")).toBe(WORKFLOW);
    },
  );

  test("takes its checksum from the file beside it (P2)", async () => {
    const bytes = archive(entriesOf(filesOf()));
    const file = write("a/review.tar.gz", bytes);
    await expect(packs.install(file)).rejects.toThrow(refused("USER.PACK.CHECKSUM_MISSING"));
    write("a/checksums.txt", `${"0".repeat(64)}  other.tar.gz\n${sumOf(bytes)}  review.tar.gz\n`);
    expect(await packs.install(file)).toMatchObject({ name: "review" });
    write("a/checksums.txt", `${sumOf(bytes)} *./review.tar.gz\n`); // of `sha256sum ./*`
    expect(await packs.install(file)).toMatchObject({ name: "review" });
    write("a/checksums.txt", `${"0".repeat(64)}  review.tar.gz\n`);
    await expect(packs.install(file)).rejects.toThrow(refused("USER.PACK.CHECKSUM_MISMATCH"));
    expect(await packs.list()).toHaveLength(1);
  });

  const evil: readonly [string, Entry][] = [
    ["a path that climbs", { path: "workflows/../../../evil", text: "x" }],
    ["a path that climbs with other strokes", { path: "workflows\\..\\..\\evil", text: "x" }],
    ["an absolute path", { path: "/evil", text: "x" }],
    ["a link", { path: "workflows/x.yaml", type: "SymbolicLink", linkpath: "/etc/passwd" }],
    ["a hard link", { path: "workflows/x.yaml", type: "Link", linkpath: "manifest.yaml" }],
    ["a pipe", { path: "workflows/x.yaml", type: "FIFO" }],
    ["a twin in other letters", { path: "WORKFLOWS/HI.YAML", text: "x" }],
  ];
  test.each(evil)("with %s is refused as a whole (P1)", async (_, entry) => {
    const bytes = archive([...entriesOf(filesOf()), entry]);
    const before = tree();
    const file = write("a/review.tar.gz", bytes);
    await expect(packs.install(file, { sha256: sumOf(bytes) })).rejects.toThrow(refused("USER.PACK.INVALID"));
    expect(await packs.list()).toEqual([]);
    expect(tree().filter((path) => !before.includes(path) && !path.startsWith("a"))).toEqual([
      "work/.troupe",
      "work/.troupe/workflow-packs",
    ]);
  });

  test("that unpacks to more than a pack may hold is refused (P1)", async () => {
    const bytes = archive([...entriesOf(filesOf()), { path: "big", text: "0".repeat(70 * 1024 * 1024) }]);
    expect(bytes.length).toBeLessThan(1024 * 1024);
    const file = write("a/review.tar.gz", bytes);
    await expect(packs.install(file, { sha256: sumOf(bytes) })).rejects.toThrow(refused("USER.PACK.INVALID"));
  });

  test("that is cut off is refused", async () => {
    const bytes = archive(entriesOf(filesOf())).subarray(0, 100);
    const file = write("a/review.tar.gz", bytes);
    await expect(packs.install(file, { sha256: sumOf(bytes) })).rejects.toThrow(refused("USER.PACK.INVALID"));
  });
});
