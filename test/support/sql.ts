/** Statements of tests, on the database of a host's storage. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { Store } from "../../actors/host/sqlite/store.ts";
import type { Storage } from "../../actors/host/storage.ts";

/** The database of a storage, which must be one on SQLite. */
export function databaseOf(store: Storage): DatabaseSync {
  if (store instanceof Store) return store.db;
  throw new Error("this storage has no database");
}
export const query = (store: Storage, text: string, ...values: SQLInputValue[]): Record<string, unknown>[] =>
  databaseOf(store)
    .prepare(text)
    .all(...values);
