/** What `troupe doctor` says of the room that a store takes, and that its disk has left. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { checkStore } from "../../../../actors/facade/checkup/check-store.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { storeRoom } from "../../../../actors/host/sqlite/store-room.ts";

const MB = 1024 ** 2;
let file: string;
let environment: { [name: string]: string };
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-check-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  file = join(folder, "troupe.db");
  environment = { HOME: folder, TROUPE_HOME: folder };
});
const checked = (free: number) => checkStore(environment, (of) => ({ ...storeRoom(of), free }));

test("no store takes no room", () => {
  expect(checked(0)).toMatchObject({ state: "good", facts: { exists: false } });
});

test("the log of commits and what lies beside the file are counted", () => {
  const store = new Store(file, "normal");
  onTestFinished(() => store.close());
  writeFileSync(`${file}.v7`, Buffer.alloc(2 * MB));
  const { wal, total } = storeRoom(file);
  expect(wal).toBeGreaterThan(0);
  const { says, state, facts } = checked(64 * MB);
  expect([state, facts["wal"], facts["total"], facts["free"]]).toEqual(["good", wal, total, 64 * MB]);
  expect(says).toMatch(/: \d\.\d MB \(\d\.\d MB with its -wal and what is kept beside it\), 0 runs, sound$/);
});

test("one run is one run", () => {
  const store = new Store(file, "normal");
  onTestFinished(() => store.close());
  const put = new DatabaseSync(file);
  put.exec(`insert into run(id, session, principal, workflow, seq, at, phase)
    values('run/a', 'session/a', 'me', 'demo', 1, 1, 'open')`);
  put.close();
  expect(checked(64 * MB).says).toMatch(/, 1 run, sound$/);
});

test("a disk that has nearly no room left is warned of, and one that has none is a fault", () => {
  new Store(file, "normal").close();
  expect(checked(64 * MB)).toMatchObject({ state: "good", next: null });
  const low = checked(64 * MB - 1);
  expect(low).toMatchObject({ state: "warning", next: expect.stringContaining("troupe gc --max-age 90d --dry-run") });
  expect(low.says).toMatch(/, sound; its disk has 64\.0 MB left$/);
  const none = checked(0);
  expect(none).toMatchObject({ state: "fault", next: low.next });
  expect(none.says).toMatch(/; its disk has 0\.0 MB left: no run can be written$/);
});
