/** Covers `store-place.ts`, I5 of `store.ts`: a store that is taken away from its place. */
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { placeGuard } from "../../../../actors/host/sqlite/store-place.ts";

const isRoot = process.getuid?.() === 0;
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-place-"));
  file = join(folder, "troupe.db");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});
const opened = (): Store => {
  const store = new Store(file, "normal");
  onTestFinished(() => store.close());
  return store;
};
const gone = (what: string) => ({
  code: "SYSTEM.STORE.MOVED",
  message: `the store ${file} ${what}: nothing more is written to the one that this process has open. Put it back, or end this process and start it again`,
  details: { file },
});

test("nothing is written to a store that was removed, and nobody listens to it", () => {
  const store = opened();
  store.begin();
  store.commit();
  rmSync(folder, { recursive: true });
  expect(() => store.begin()).toThrow(expect.objectContaining(gone("is no longer there")));
  expect(store.begun).toBe(false);
  expect(() => store.listen(() => undefined)).toThrow(expect.objectContaining(gone("is no longer there")));
});

test("nor to one in whose place another one stands", () => {
  const store = opened();
  renameSync(file, `${file}.old`);
  opened();
  expect(() => store.begin()).toThrow(expect.objectContaining(gone("is another file now")));
});

test("one that was put back is written to again", () => {
  const store = opened();
  renameSync(folder, `${folder}.old`);
  expect(() => store.begin()).toThrow(expect.objectContaining(gone("is no longer there")));
  renameSync(`${folder}.old`, folder);
  store.begin();
  store.trust.keep("/folder", 1);
  store.commit();
  expect(store.trust.list()).toEqual([{ cwd: "/folder", at: 1 }]);
});

test.skipIf(isRoot)("a place that cannot be looked at says nothing (I1)", () => {
  writeFileSync(file, "");
  const look = placeGuard(file);
  chmodSync(folder, 0);
  try {
    look();
    placeGuard(file)();
  } finally {
    chmodSync(folder, 0o700);
  }
});
