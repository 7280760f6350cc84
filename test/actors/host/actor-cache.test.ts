import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ActorCache, MAX_CACHED } from "../../../actors/host/actor-cache.ts";
import { Store } from "../../../actors/host/sqlite/store.ts";
import type { Key } from "../../../machines/model.ts";
import { MACHINES, sessionKey } from "../../support/host-machines.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-actors-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A store with so many sessions, and the actors over it. */
function actors(count: number): { family: ActorCache; keys: Key[]; store: Store } {
  const store = new Store(join(root, "troupe.db"), "normal");
  const family = new ActorCache(store);
  for (const [kind, machine] of MACHINES) family.define(kind as never, machine);
  const keys = Array.from({ length: count }, (_, i) => sessionKey(String(i)));
  const snap = { v: "1", value: "idle", context: {}, status: "active", children: {}, starts: 0 };
  store.begin();
  for (const key of keys)
    store.actors.add({ key, session: key, parent: null, childId: "", nonce: 0 }, "{}", JSON.stringify(snap));
  store.commit();
  return { family, keys, store };
}

test("I4: the actor that was not used longest makes room, the one that was used just now stays", () => {
  const { family, keys, store } = actors(MAX_CACHED + 1);
  const [first, second] = [keys[0]!, keys[1]!];
  const loaded = keys.slice(0, MAX_CACHED).map((key) => family.load(key));
  expect(family.load(first)).toBe(loaded[0]); // used again: an owner of many children always is
  family.load(keys[MAX_CACHED]!);
  family.trim(MAX_CACHED);
  expect(family.load(first)).toBe(loaded[0]);
  expect(family.load(second)).not.toBe(loaded[1]);
  store.close();
});

test("I4: whose an uncached key is costs no look at its birth", () => {
  const { family, keys, store } = actors(1);
  store.db.exec("drop trigger actor_gone; drop table birth");
  expect(family.sessionOf(keys[0]!)).toBe(keys[0]);
  expect(family.sessionOf("step/none")).toBeUndefined();
  store.close();
});
