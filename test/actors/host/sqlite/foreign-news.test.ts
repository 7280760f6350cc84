/** Covers `store.ts`: when one process looks whether another one has committed (I3); and `written.ts`, `beside.ts`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type TroupeError, troupeError } from "../../../../actors/errors/troupe-error.ts";
import { keptConsents, trustedFolders } from "../../../../actors/host/beside.ts";
import type { Patiently } from "../../../../actors/host/patience.ts";
import type { Consent } from "../../../../actors/host/reads.ts";
import { SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { written } from "../../../../actors/host/written.ts";

let store: Store;
let other: Store;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-news-"));
  [store, other] = [new Store(join(folder, "troupe.db"), "normal"), new Store(join(folder, "troupe.db"), "normal")];
  onTestFinished(() => {
    store.close();
    other.close();
    rmSync(folder, { recursive: true });
  });
});
let n = 0;
/** Another process commits. */
const commitsElsewhere = (): void => other.trust.keep(`/folder${n++}`, 1);

test("news is looked for once in a turn, and again in the next one", async () => {
  commitsElsewhere();
  expect(store.foreignNews()).toBe(true);
  commitsElsewhere();
  expect(store.foreignNews()).toBe(false);
  await Promise.resolve();
  expect(store.foreignNews()).toBe(false);
  await turn();
  expect(store.foreignNews()).toBe(true);
});

test("who asked within a transaction knows of the others when it is committed, for what waited for that", async () => {
  await turn();
  commitsElsewhere();
  store.begin();
  expect(store.foreignChange()).toBe(true);
  store.commit();
  commitsElsewhere();
  await Promise.resolve().then(() => undefined);
  expect(store.foreignNews()).toBe(false);
  await turn();
  expect(store.foreignNews()).toBe(true);
});

test("a store that a newer Troupe has brought to its form meanwhile is not written to (I4)", () => {
  store.begin();
  expect(store.foreignChange()).toBe(false);
  store.commit();
  other.db.exec(`pragma user_version=${SCHEMA_VERSION + 1}`);
  expect(store.foreignChange()).toBe(true);
  for (let tick = 0; tick < 2; tick++) {
    store.begin();
    expect(() => store.foreignChange()).toThrow(expect.objectContaining({ code: "SYSTEM.STORE.NEWER" }));
    store.rollback();
  }
});

test("nor is anything written to it between ticks (I4)", async () => {
  const newer = expect.objectContaining({ code: "SYSTEM.STORE.NEWER" });
  const at: Consent = { machine: "m", agent: "a", folder: "/folder", digest: "d", shown: "{}", at: 1 };
  const patiently: Patiently = async (act) => act();
  const [trust, consents] = [trustedFolders(store, patiently), keptConsents(store, patiently)];
  await trust.keep("/before", 1);
  await consents.keep(at);
  other.db.exec(`pragma user_version=${SCHEMA_VERSION + 1}`);
  await expect(trust.keep("/after", 1)).rejects.toThrow(newer);
  await expect(trust.drop("/before")).rejects.toThrow(newer);
  await expect(consents.keep({ ...at, folder: "/after" })).rejects.toThrow(newer);
  await expect(consents.drop(at)).rejects.toThrow(newer);
  expect(() => written(store, () => store.trust.keep("/after", 1))).toThrow(newer);
  expect(store.begun).toBe(false);
  expect(other.trust.list()).toEqual([{ cwd: "/before", at: 1 }]);
  expect(other.consents.list()).toEqual([at]);
});

test("a transaction in which nobody asked says nothing of the others", async () => {
  await turn();
  store.begin();
  expect(store.foreignChange()).toBe(false);
  store.commit();
  await turn();
  commitsElsewhere();
  store.begin();
  store.commit();
  expect(store.foreignNews()).toBe(true);
});

test("what a newer Troupe has taken away cannot be read, and the store is not called damaged (I4)", () => {
  expect(store.runs.find("r")).toBeUndefined();
  other.db.exec(`alter table run rename to run_new; pragma user_version=${SCHEMA_VERSION + 1}`);
  const said = (): TroupeError => {
    try {
      store.runs.find("r");
    } catch (error) {
      return troupeError(error);
    }
    throw new Error("it was read");
  };
  expect(said().message).toContain("Where a newer Troupe has opened it meanwhile, end this process and start it again");
  store.foreignChange();
  expect(said()).toMatchObject({ code: "SYSTEM.STORE.NEWER", details: { form: SCHEMA_VERSION + 1 } });
});
