/** The actors in memory, by their sessions. */
import type { Key } from "../../../machines/model.ts";
import type { Snap } from "../host.ts";
import type { ActorTable, StoredActor, StoredResult } from "../storage.ts";
import { Table } from "./journal.ts";
import type { Tables } from "./tables.ts";

export function actorTable(tables: Tables): ActorTable {
  const { sessionOf } = tables;
  const find = (key: Key): StoredActor | undefined => {
    const session = sessionOf.get(key);
    return session && tables.read(session).actors.get(key);
  };
  const resultsOf = (key: Key): Table<number, StoredResult> | undefined => {
    const session = sessionOf.get(key);
    return session && tables.read(session).results.get(key);
  };
  return {
    load: find,
    // By name: a host's own actor has much more, and would be held here with its first snapshot, secrets and all.
    add: ({ key, session, parent, childId, nonce }, birth, snap) => {
      sessionOf.set(key, session);
      tables.of(session).actors.set(key, { session, parent, childId, nonce, birth, snap });
    },
    save: (key, snap) => {
      const actor = find(key);
      if (actor !== undefined) tables.of(actor.session).actors.set(key, { ...actor, snap });
    },
    drop: (key) => {
      const session = sessionOf.get(key);
      if (session === undefined) return;
      tables.read(session).actors.delete(key);
      tables.of(session).results.delete(key);
      sessionOf.delete(key);
    },
    results: (key) => [...(resultsOf(key)?.values() ?? [])].sort((a, b) => a.n - b.n),
    keepResult: (key, result) => {
      const session = sessionOf.get(key);
      if (session === undefined) return;
      const known = resultsOf(key) ?? new Table<number, StoredResult>(tables.journal);
      known.set(result.n, result);
      tables.of(session).results.set(key, known);
    },
    dropResults: (key, from) => {
      const results = resultsOf(key);
      for (const { n } of results?.values() ?? []) if (n >= from) results?.delete(n);
    },
    snap: (key) => find(key)?.snap,
    sessionOf: (key) => sessionOf.get(key),
    birthAbove: (key) => {
      const parent = find(key)?.parent ?? null;
      return parent === null ? undefined : find(parent)?.birth;
    },
    birthsBelow: (key, text) => {
      const family = new Set([key]);
      for (const one of family)
        for (const child of Object.values((JSON.parse(find(one)?.snap ?? "{}") as Partial<Snap>).children ?? {}))
          if (child.key !== null) family.add(child.key);
      return [...family].flatMap((one) => find(one)?.birth ?? []).filter((birth) => birth.includes(text));
    },
    birthsOf: (kind) =>
      sessionOf
        .entries()
        .filter(([key]) => key.startsWith(`${kind}/`))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, session]) => ({ session, birth: find(key)?.birth ?? "" })),
    openPermissions: (session) =>
      tables
        .read(session)
        .actors.entries()
        .flatMap(([key, { snap }]) =>
          key.startsWith("permission/") && (JSON.parse(snap) as Snap).value === "open" ? [key] : [],
        ),
  };
}
