/** What is read of runs costs the same however many there are. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ENDED, FIND } from "../../../actors/facade/records.ts";
import { Store } from "../../../actors/host/store.ts";

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-records-"));
  store = new Store(join(folder, "troupe.db"), "normal");
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a run is found by its index: the log is not read from end to end", () => {
  for (const statement of [FIND, ENDED]) {
    const plan = store.query(`explain query plan ${statement}`, "r").map(({ detail }) => detail);
    expect(plan).toEqual([expect.stringMatching(/^SEARCH log USING INDEX log_run \(run=\? AND type=\?\)$/)]);
  }
});
