/**
 * How a store's file is, without a host.
 *
 * I1. Nothing is written: the file is opened to be read, and a store that is not there is not made.
 */
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Environment } from "../../base/user-folders.ts";
import { laterVersion, SCHEMA_VERSION } from "./schema.ts";
import { openStore } from "./store-folder.ts";
import { refuseAbove } from "./store-rights.ts";

export { closedStore } from "./store-folder.ts";

/** Above it a look at every page takes longer than a person waits. */
const MOST_CHECKED_BYTES = 256 * 1024 ** 2;

/** `checked`: whether each page was looked at. `runs`: by their phase in the store; null where its form is older. */
export type StoreHealth = {
  bytes: number;
  schema: number;
  known: number;
  checked: boolean;
  runs: { [phase: string]: number } | null;
};

/** null: there is no store yet. Throws SYSTEM.STORE.*. */
export function storeHealth(file: string, environment: Environment): StoreHealth | null {
  if (!existsSync(file)) {
    refuseAbove({ file, environment }, dirname(file));
    return null;
  }
  return openStore(file, environment, () => {
    const bytes = statSync(file).size;
    const db = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
    try {
      const schema = Number(db.prepare("pragma user_version").get()?.["user_version"]);
      if (schema > SCHEMA_VERSION) throw new Error(laterVersion(schema));
      const checked = bytes <= MOST_CHECKED_BYTES;
      const said = checked ? String(db.prepare("pragma quick_check(1)").get()?.["quick_check"]) : "ok";
      if (said !== "ok") throw Object.assign(new Error(said), { errcode: SQLITE_CORRUPT });
      return { bytes, schema, known: SCHEMA_VERSION, checked, runs: schema < FIRST_WITH_RUNS ? null : runsOf(db) };
    } finally {
      db.close();
    }
  });
}

const SQLITE_CORRUPT = 11;
const FIRST_WITH_RUNS = 5;

function runsOf(db: DatabaseSync): { [phase: string]: number } {
  const rows = db
    .prepare("select phase, count(*) n from run where parent is null and seq is not null group by phase")
    .all();
  return Object.fromEntries(rows.map((row) => [String(row["phase"]), Number(row["n"])]));
}
