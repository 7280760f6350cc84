/** Covers `checkpoints.ts` and `checkpoint-program.ts`: who brings the write-ahead log into the store's file, and when. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { Checkpoints, MOST_LEFT, MOST_PAGES, STATEMENTS_BETWEEN } from "../../../../actors/host/sqlite/checkpoints.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import type { Key } from "../../../../machines/model.ts";

const root = mkdtempSync(join(tmpdir(), "troupe-checkpoints-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const TEXT = "x".repeat(3_000);
/** So many rows, each of a page, in one commit. */
function write(store: Store, name: string, rows: number): void {
  store.begin();
  for (let at = 0; at < rows; at++)
    store.actors.add(
      { key: `run/${name}${at}` as Key, session: "session/s", parent: null, childId: "", nonce: 0 },
      TEXT,
      "{}",
    );
  store.commit();
}
/** How often the log has begun anew: its head counts. */
const beginnings = (file: string): number => readFileSync(`${file}-wal`).readUInt32BE(12);
const keptIn = (file: string): number => statSync(file).size;

test("what is written is in the store's file long before a commit would bring it there itself", async () => {
  const file = join(root, "busy.db");
  const store = new Store(file, "normal");
  // Enough statements for the thread to begin, and fewer pages than a commit would bring in itself.
  const enough = STATEMENTS_BETWEEN + 2_000;
  expect(enough).toBeLessThan(MOST_PAGES);
  for (let pages = 0; pages < enough; pages += 200) write(store, `a${pages}-`, 200);
  await expect.poll(() => keptIn(file), { timeout: 60_000 }).toBeGreaterThan(4 * 1024 ** 2);
  store.close();
});

test("with all of it in the file the log begins anew: it does not grow with what was ever written", async () => {
  const file = join(root, "short.db");
  const db = new DatabaseSync(file);
  db.exec("pragma journal_mode=wal; pragma synchronous=normal; pragma wal_autocheckpoint=0; create table t(x)");
  const checkpoints = new Checkpoints(file);
  for (let round = 0; round < 4; round++) {
    db.exec(`insert into t values('${TEXT}')`);
    expect(beginnings(file)).toBe(round);
    checkpoints.note(STATEMENTS_BETWEEN);
    expect(checkpoints.isIdle).toBe(false);
    while (!checkpoints.isIdle) await setImmediate();
  }
  checkpoints.close();
  db.close();
});

test("a log that could not begin anew is short again when it has (I3)", () => {
  const file = join(root, "long.db");
  const store = new Store(file, "normal");
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec("begin; select count(*) from actor");
  store.begin();
  store.db.exec(`insert into setting values('large', hex(zeroblob(${MOST_LEFT / 2})))`);
  store.commit();
  expect(keptIn(`${file}-wal`)).toBeGreaterThan(MOST_LEFT);
  reader.close();
  for (const name of ["brought in", "anew"]) write(store, name, 1);
  expect(keptIn(`${file}-wal`)).toBeLessThanOrEqual(MOST_LEFT);
  store.close();
});

test.each([
  ["is missing", null],
  ["throws", "throw new Error('no thread');"],
])("a program that %s does no harm (I2)", async (_, text) => {
  const program = text === null ? null : join(root, "program.mjs");
  if (program !== null) writeFileSync(program, text ?? "");
  const checkpoints = new Checkpoints(join(root, "none.db"), program);
  for (let at = 0; at < 50; at++) {
    checkpoints.note(STATEMENTS_BETWEEN);
    await setImmediate();
  }
  checkpoints.close();
});

test("no more does a thread that the system does not give, and none is asked for again (I2)", async () => {
  const checkpoints = new Checkpoints(join(root, "none.db"), "no path of a program");
  checkpoints.note(STATEMENTS_BETWEEN);
  for (let at = 0; at < 50; at++) await setImmediate();
  expect(checkpoints.isIdle).toBe(false);
  checkpoints.close();
});
