/** Covers `store-place.ts`, I5 of `store.ts`: a store that is taken away from its place. */
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { placeGuard } from "../../../../actors/host/sqlite/store-place.ts";
import { NO_MASKING } from "../../../../actors/masking/masking.ts";

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

describe("a store that is replaced while its lock is waited for", () => {
  const aside = (): string => `${file}.old`;
  /** A store that trusts one folder, and is closed. */
  const made = (path: string, cwd: string): void => {
    const store = new Store(path, "normal");
    store.trust.keep(cwd, 1);
    store.close();
  };
  /** Opens, and has the store replaced before anything is read: so often. */
  const replacing = (often: number, replace: () => void) => {
    let opened = 0;
    return (path: string, options: { timeout: number }): DatabaseSync => {
      const db = new DatabaseSync(path, options);
      if (opened++ < often) replace();
      return db;
    };
  };

  test("is opened anew, and what stands there now is whole", () => {
    made(file, "/old");
    made(`${file}.copy`, "/copied");
    const replace = (): void => {
      renameSync(file, aside());
      renameSync(`${file}.copy`, file);
    };
    const store = new Store(file, "normal", NO_MASKING, replacing(1, replace));
    expect(store.trust.list()).toEqual([{ cwd: "/copied", at: 1 }]);
    store.begin();
    store.trust.keep("/more", 2);
    store.commit();
    store.close();
    const db = new DatabaseSync(file, { readOnly: true });
    expect(db.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(db.prepare("select count(*) n from trust").get()).toEqual({ n: 2 });
    db.close();
  });
  test("is made anew where it was removed", () => {
    made(file, "/old");
    const store = new Store(
      file,
      "normal",
      NO_MASKING,
      replacing(1, () => rmSync(file)),
    );
    expect(store.trust.list()).toEqual([]);
    store.begin();
    store.commit();
    store.close();
  });
  test("is given up where that does not end", () => {
    made(file, "/old");
    let n = 0;
    const replace = (): void => {
      renameSync(file, `${aside()}${n++}`);
      made(file, "/next");
    };
    const open = replacing(Number.POSITIVE_INFINITY, replace);
    const fault = expect.objectContaining(gone("is another file now"));
    expect(() => new Store(file, "normal", NO_MASKING, open)).toThrow(fault);
    expect(n).toBe(3);
  });
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
