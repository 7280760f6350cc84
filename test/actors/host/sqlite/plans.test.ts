/** What is read of sessions and runs costs the same however many there are. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BETWEEN, BOUNDARY } from "../../../../actors/host/sqlite/log.ts";
import { pageStatement } from "../../../../actors/host/sqlite/sessions.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { query } from "../../../support/sql.ts";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-plans-"));
  store = new Store(join(folder, "troupe.db"), "normal");
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const planOf = (statement: string, ...values: (string | number | null)[]): unknown[] =>
  query(store, `explain query plan ${statement}`, ...values).map(({ detail }) => detail);

test.each(["run.started", "run.completed"])("%s is found by its index: the log is not read from end to end", (type) => {
  expect(planOf(BOUNDARY, "r", type)).toEqual([
    expect.stringMatching(/^SEARCH log USING INDEX log_run \(run=\? AND type=\?\)$/),
  ]);
});

test("runs whose ids begin so are found by the index of runs", () => {
  expect(planOf(BETWEEN, "r", "s", 11).join("\n")).toMatch(/^SEARCH log USING INDEX log_run \(run>\? AND run<\?\)/);
});

test("a page begins where its index says, without sorting", () => {
  const plan = (cwd: boolean): string =>
    planOf(pageStatement(cwd), "me", cwd ? "/w" : null, 1, "session/a", 50).join("\n");
  expect(plan(false)).toMatch(/SEARCH s USING (COVERING )?INDEX session_updated \(principal=\? AND .*updated/);
  expect(plan(true)).toMatch(/SEARCH s USING (COVERING )?INDEX session_cwd \(principal=\? AND cwd=\? AND .*updated/);
  for (const cwd of [false, true]) expect(plan(cwd)).not.toMatch(/SCAN|TEMP B-TREE/);
});
