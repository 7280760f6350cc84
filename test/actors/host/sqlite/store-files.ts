/** A store and a place for its copy, anew for each test of the file that takes them from here. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach } from "vitest";
import { SCHEMA_VERSION } from "../../../../actors/host/sqlite/schema.ts";

export let root: string;
export let state: string;
export let file: string;
export let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-copies-"));
  state = join(root, "state");
  file = join(state, "troupe.db");
  folder = join(root, "copy");
  mkdirSync(state);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

export const BESIDE = ["attachments.db", "conversations.db"];
/** A file of SQLite that holds one text. */
export function put(path: string, text: string, version = SCHEMA_VERSION): void {
  const db = new DatabaseSync(path);
  db.exec(`create table t(x text); insert into t values('${text}'); pragma user_version=${version}`);
  db.close();
}

/** What a file of a store holds. */
export function textIn(path: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  const text = db.prepare("select x from t").get()?.["x"];
  db.close();
  return text;
}
export const texts = (at: string): { [name: string]: unknown } =>
  Object.fromEntries(readdirSync(at).map((name) => [name, textIn(join(at, name))]));
export const fault = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: object };
    return { code, message, details };
  }
};
