/** What is read of sessions and runs costs the same however many there are. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OPEN_STATEMENT } from "../../../../actors/host/sqlite/rest.ts";
import { BEGINNING, latestStatement } from "../../../../actors/host/sqlite/runs.ts";
import { pageStatement, WITHIN } from "../../../../actors/host/sqlite/sessions.ts";
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

test.each([
  [false, "run_listed (principal=? AND phase=? AND"],
  [true, "run_of_workflow (principal=? AND workflow=? AND phase=? AND"],
])("a piece of a list of runs begins where its index says, without sorting", (workflow, index) => {
  const values = ["me", workflow ? "w" : null, "completed", 1, "r", 24];
  const [plan, ...more] = planOf(latestStatement(workflow), ...values);
  expect(plan).toContain(`SEARCH run USING INDEX ${index}`);
  expect(more).toEqual([]);
});

test("runs whose ids begin so are found by their key", () => {
  expect(planOf(BEGINNING, "r", "s", null, 11).join("\n")).toMatch(
    /^SEARCH run USING INDEX sqlite_autoindex_run_1 \(id>\? AND id<\?\)$/,
  );
});

test.each([
  ["taken", "phase='parked'"],
  ["left", "phase='open'"],
])("a session that is %s looks for its open runs by their index", (_, phase) => {
  const update = `update run set phase='other' where session='session/a' and parent is null and ${phase}`;
  expect(planOf(update)).toEqual([expect.stringContaining("SEARCH run USING INDEX run_open (session=?)")]);
});

test("whether a session has an open run is answered from their index", () => {
  expect(planOf(OPEN_STATEMENT, "session/a").join("\n")).toMatch(
    /SEARCH run USING (COVERING )?INDEX run_open \(session=\?\)/,
  );
});

test("a page begins where its index says, without sorting", () => {
  const plan = (cwd: boolean): string =>
    planOf(pageStatement(cwd), "me", cwd ? "/w" : null, 1, "session/a", 50).join("\n");
  expect(plan(false)).toMatch(/SEARCH s USING (COVERING )?INDEX session_updated \(principal=\? AND .*updated/);
  expect(plan(true)).toMatch(/SEARCH s USING (COVERING )?INDEX session_cwd \(principal=\? AND cwd=\? AND .*updated/);
  for (const cwd of [false, true]) expect(plan(cwd)).not.toMatch(/SCAN|TEMP B-TREE/);
});

test("the sessions of a folder, and below it, are found by their index", () => {
  for (const principal of ["me", null]) {
    const plan = planOf(WITHIN, principal, '["/w"]', "/w/", "/w0", 9).filter((step) => `${step}`.includes(" s "));
    expect(plan).toContain("SEARCH s USING COVERING INDEX session_cwd (principal=? AND cwd=?)");
    expect(plan).toContain("SEARCH s USING COVERING INDEX session_cwd (principal=? AND cwd>? AND cwd<?)");
    expect(plan.filter((step) => `${step}`.startsWith("SCAN"))).toEqual([]);
  }
});
