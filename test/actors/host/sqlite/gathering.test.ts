/** Runs of an earlier version, gathered in pieces. Covers I4 of the schema. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { query } from "../../../support/sql.ts";
import { gatherAll, tables, VERSION_4, version } from "./old-stores.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-schema-"));
  file = join(folder, "troupe.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LISTING = { principal: null, workflow: null, until: 99 };
const OPEN = ["open", "parked"] as const;

test("the runs of a store of version 4 are gathered in pieces, and known before (I4)", () => {
  const old = new DatabaseSync(file);
  old.exec(VERSION_4);
  old.close();
  const store = new Store(file, "normal");
  const fresh = new Store(join(folder, "fresh.db"), "normal");
  const run = { session: "session/a", workflow: "w", parentRun: null };
  const all = [
    { ...run, run: "r1", begun: { seq: 1, at: 5 }, phase: "completed", ended: 4 },
    { ...run, run: "r2", workflow: "v", parentRun: "r1", begun: { seq: 2, at: 6 }, phase: "failed", ended: 3 },
    { ...run, run: "r3", begun: null, phase: "cancelled", ended: 5 },
    { ...run, run: "r4", begun: { seq: 6, at: 9 }, phase: "parked", ended: null },
    { ...run, run: "r5", session: "session/b", begun: { seq: 1, at: 9 }, phase: "open", ended: null },
  ];
  const found = () => all.map((one) => store.runs.find(one.run));
  expect(version(store.db)).toBe(SCHEMA_VERSION);
  expect(store.runs.isWhole).toBe(false);
  expect(found()).toEqual(all);
  expect(store.runs.find("r9")).toBeUndefined();
  // Another one continues with what has not been gathered yet.
  const end = { type: "run.completed", run: "r5", payload: { workflow: "w", status: "failed", exitCode: 1 } } as const;
  store.log.append("session/b", { ...end, seq: 2, at: 10 }, JSON.stringify(end));
  Object.assign(all[4] ?? {}, { phase: "failed", ended: 2 });
  expect(found()).toEqual(all);
  expect(gatherAll(store)).toBe(3);
  expect(found()).toEqual(all);
  expect(store.runs.beginning("r", null, 9)).toEqual(["r1", "r2", "r3", "r4", "r5"]);
  expect([...store.runs.latest({ ...LISTING, phases: ["failed", "completed"] })].map((one) => one.run)).toEqual([
    "r5",
    "r1",
  ]);
  expect([...store.runs.latest({ ...LISTING, phases: OPEN })].map((one) => one.run)).toEqual(["r4"]);
  expect(tables(store.db)).toEqual(tables(fresh.db));
  expect(query(store, "select name from setting")).toEqual([{ name: "cursor key" }]);
  store.close();
  fresh.close();
});

test("a process that has not heard that another one gathered the last runs asks the log for none", () => {
  const old = new DatabaseSync(file);
  old.exec(VERSION_4);
  old.close();
  const [store, other] = [new Store(file, "normal"), new Store(file, "normal")];
  expect(other.runs.isWhole).toBe(false);
  gatherAll(store);
  expect(other.runs.find("r9")).toBeUndefined();
  expect(other.runs.isWhole).toBe(true);
  store.close();
  other.close();
});
