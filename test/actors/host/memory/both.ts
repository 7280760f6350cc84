/** A storage in memory, and one on SQLite in a folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryStorage } from "../../../../actors/host/memory/memory-storage.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import type { Storage } from "../../../../actors/host/storage.ts";
import type { Row } from "../../../../machines/exchange.ts";
import type { Key } from "../../../../machines/model.ts";

export const BOTH = ["in memory", "on SQLite"] as const;
/** What is done with one, in one transaction. */
export function within(kind: (typeof BOTH)[number], act: (storage: Storage) => void): void {
  if (kind === "in memory") return during(new MemoryStorage(), act);
  const folder = mkdtempSync(join(tmpdir(), "troupe-storage-"));
  const file = new Store(join(folder, "troupe.db"), "normal");
  try {
    during(file, act);
  } finally {
    file.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
function during(storage: Storage, act: (storage: Storage) => void): void {
  storage.begin();
  act(storage);
  storage.commit();
}

/** A session with its own actor, opened by an owner at a time. */
export function opens(storage: Storage, session: Key, owner: string, at: number): void {
  storage.sessions.open(session, owner, "/w", "me", at);
  storage.actors.add({ key: session, session, parent: null, childId: "c", nonce: 1 }, "{}", '{"value":"idle"}');
}
/** A row at the end of a session's log. */
export function says(storage: Storage, session: Key, row: Row): void {
  const { seq, at } = storage.log.head(session);
  storage.log.append(session, { ...row, seq: seq + 1, at: at + 1 }, JSON.stringify(row));
}
