/**
 * The store as it was, kept beside it before it is brought to a newer form.
 *
 * I1. What is kept is whole: it is made under another name, and takes its own at once.
 * I2. What was kept before stays: it is its user's. Where the store has gone on in its older form since, it is kept once more.
 * I3. What a process that was killed has left of a copy goes with the next one.
 */
import { existsSync, linkSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { randomWord } from "../../base/random.ts";
import { privately } from "./copies.ts";
import { formOf, SCHEMA_VERSION } from "./schema.ts";

/** Behind the store's name: a copy that is made now. */
const DRAFT = /^\.v\d+\.[0-9a-f]{12}$/;
/** What SQLite keeps beside a copy while it makes it. */
const OF_SQLITE = ["", "-journal"];
/** Between two steps of its making nothing locks it. */
const LEFT_MS = 2_000;

/** It stays as `<file>.v<its form>`, later ones with a number behind that. Throws where there is no room for it. */
export function keepOlder(db: DatabaseSync, file: string): void {
  const form = formOf(db);
  if (form === 0 || form >= SCHEMA_VERSION) return;
  const kept = freeName(db, `${file}.v${form}`);
  if (kept === null) return;
  removeLeft(file);
  const draft = `${file}.v${form}.${randomWord(6, "hex")}`;
  privately(() => {
    try {
      db.prepare("vacuum into ?").run(draft);
      // Another process was first: the copy is its, and this one is of the newer form already.
      if (using(draft, formOf) === form && !existsSync(kept)) linkSync(draft, kept);
    } finally {
      remove(draft);
    }
  });
}

/** Null where what was kept last is the store as it is. */
function freeName(db: DatabaseSync, kept: string): string | null {
  let [name, last] = [kept, ""];
  for (let n = 2; existsSync(name); n++) [name, last] = [`${kept}.${n}`, name];
  return last !== "" && using(last, standOf) === standOf(db) ? null : name;
}

/** How far a store has come: its log is only ever added to, or collected. Nothing where it cannot be read. */
function standOf(db: DatabaseSync): string {
  try {
    return JSON.stringify(db.prepare("select count(*) as n, max(at) as at from log").get());
  } catch {
    return "";
  }
}

function removeLeft(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    const draft = join(dirname(file), name);
    if (!name.startsWith(basename(file)) || !DRAFT.test(name.slice(basename(file).length))) continue;
    if (!isBeingMade(draft)) remove(draft);
  }
}

function isBeingMade(draft: string): boolean {
  const found = statSync(draft, { throwIfNoEntry: false });
  if (found === undefined || Date.now() - found.mtimeMs < LEFT_MS) return true;
  const db = new DatabaseSync(draft, { timeout: 0 });
  try {
    db.exec("begin exclusive");
    return false;
  } catch {
    return true;
  } finally {
    db.close();
  }
}

const remove = (draft: string): void => {
  for (const suffix of OF_SQLITE) rmSync(draft + suffix, { force: true });
};

function using<T>(file: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}
