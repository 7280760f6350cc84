/**
 * A session's rows under names, one value each: what the engine keeps of it, and how that becomes tables again.
 *
 * I1. What an actor was born with is a row of its own, written once.
 */
import type { Key } from "../../../machines/model.ts";
import { Table } from "../memory/journal.ts";
import type { LogRow, Tables } from "../memory/tables.ts";
import type { RunRow, SessionRow, StoredActor, StoredResult, StoredTimer, StoredWork } from "../storage.ts";
import type { Which } from "../workers.ts";
import type { NamedRow } from "./protocol.ts";

type KeptActor = Omit<StoredActor, "birth" | "session">;

/** Puts rows into tables, in any order. */
export function putRows(tables: Tables, session: Key, rows: readonly NamedRow[]): void {
  // A birth stands in its actor's row, and comes first.
  const births = new Map(
    rows.flatMap(([name, row]): [string, string][] =>
      name.startsWith("birth ") && row !== null ? [[name.slice(6), JSON.parse(row) as string]] : [],
    ),
  );
  for (const [name, row] of rows) putRow(tables, session, name, row, births);
}

function putRow(
  tables: Tables,
  session: Key,
  name: string,
  row: string | null,
  births: ReadonlyMap<string, string>,
): void {
  const space = name.indexOf(" ");
  const kind = space === -1 ? name : name.slice(0, space);
  const id = name.slice(space + 1);
  const of = tables.of(session);
  const value: unknown = row === null ? null : JSON.parse(row);
  switch (kind) {
    case "session":
      return put(tables.sessions, session, value as SessionRow | null);
    case "run":
      return put(tables.runs, id, value as RunRow | null);
    case "seen":
      return put(tables.seen, id as Key, value === null ? null : new Map(value as [string, boolean][]));
    case "timer":
      return put(of.timers, id, value as StoredTimer | null);
    case "work":
      return put(of.works, id, value as StoredWork | null);
    case "actor": {
      const key = id as Key;
      if (value === null) {
        of.actors.delete(key);
        of.results.delete(key);
        return tables.sessionOf.delete(key);
      }
      const birth = births.get(key) ?? of.actors.get(key)?.birth ?? "{}";
      of.actors.set(key, { ...(value as KeptActor), session, birth });
      return tables.sessionOf.set(key, session);
    }
    case "result": {
      const [key, n] = id.split(" ") as [Key, string];
      const known = of.results.get(key) ?? new Table<number, StoredResult>(tables.journal);
      put(known, Number(n), value as StoredResult | null);
      if (value !== null || of.results.has(key)) of.results.set(key, known);
      return;
    }
    default:
      return; // a birth, which came with its actor; what a work was told, which is no row of a table
  }
}

function put<K, V>(table: Table<K, V>, key: K, value: V | null): void {
  if (value === null) table.delete(key);
  else table.set(key, value);
}

/** The ends of those rows of a session that are in tables and not among the names of all that there are. */
export function goneRows(tables: Tables, session: Key, names: ReadonlySet<string>): NamedRow[] {
  const { actors, results, timers, works } = tables.read(session);
  const held = [
    ...actors.entries().map(([key]) => `actor ${key}`),
    ...results.entries().flatMap(([key, kept]) => kept.entries().map(([n]) => `result ${key} ${n}`)),
    ...timers.entries().map(([name]) => `timer ${name}`),
    ...works.entries().map(([name]) => `work ${name}`),
  ];
  return held.flatMap((name): NamedRow[] => (names.has(name) ? [] : [[name, null]]));
}

/** Adds rows to a session's log in tables that have all before them. */
export function addLog(tables: Tables, session: Key, rows: readonly LogRow[]): void {
  const { log } = tables.of(session);
  for (const row of rows) if (row.seq === log.all.length + 1) log.add(row);
}

/** What changes in tables, as rows by their names. */
export class ChangedRows {
  readonly #touched: [table: object, key: unknown][] = [];
  /** The names of all rows that the engine keeps. */
  readonly #kept: Set<string>;
  constructor(kept: Iterable<string>) {
    this.#kept = new Set(kept);
  }

  readonly note = (table: object, key: unknown): void => {
    this.#touched.push([table, key]);
  };

  /** What has changed since this was asked last, as it is now. */
  take(tables: Tables, session: Key): NamedRow[] {
    const names = new Set(
      this.#touched.splice(0).flatMap(([table, key]) => this.#namesOf(tables, session, table, key)),
    );
    return [...names].flatMap((name) => this.#changed(tables, session, name));
  }
  /** A row that stands in no table. */
  own(name: string, row: string | null): NamedRow[] {
    if (row === null && !this.#kept.delete(name)) return [];
    if (row !== null) this.#kept.add(name);
    return [[name, row]];
  }

  #namesOf(tables: Tables, session: Key, table: object, key: unknown): string[] {
    const of = tables.read(session);
    if (table === tables.sessions) return ["session"];
    if (table === tables.runs) return [`run ${key}`];
    if (table === tables.seen) return [`seen ${key}`];
    if (table === of.timers) return [`timer ${key}`];
    if (table === of.works) return [`work ${key}`];
    if (table === of.actors) return [`birth ${key}`, `actor ${key}`];
    // An actor's results go with it; else the table of one actor's results says what has changed.
    if (table === of.results) return [...this.#kept].filter((name) => name.startsWith(`result ${key} `));
    for (const [actor, results] of of.results.entries()) if (table === results) return [`result ${actor} ${key}`];
    return [];
  }

  #changed(tables: Tables, session: Key, name: string): NamedRow[] {
    if (name.startsWith("birth ") && this.#kept.has(name) && this.#valueOf(tables, session, name) !== null) return []; // I1
    return this.own(name, this.#valueOf(tables, session, name));
  }

  #valueOf(tables: Tables, session: Key, name: string): string | null {
    const of = tables.read(session);
    const [kind = "", id = "", n = ""] = name.split(" ");
    const rest = name.slice(kind.length + 1);
    switch (kind) {
      case "session":
        return json(tables.sessions.get(session));
      case "run":
        return json(tables.runs.get(id));
      case "seen": {
        const seen = tables.seen.get(id as Key);
        return seen === undefined ? null : JSON.stringify([...seen]);
      }
      case "timer":
        return json(of.timers.get(rest));
      case "work":
        return json(of.works.get(rest));
      case "birth":
        return json(of.actors.get(id as Key)?.birth);
      case "actor": {
        const actor = of.actors.get(id as Key);
        if (actor === undefined) return null;
        const { parent, childId, nonce, snap } = actor;
        return JSON.stringify({ parent, childId, nonce, snap } satisfies KeptActor);
      }
      default:
        return json(of.results.get(id as Key)?.get(Number(n)));
    }
  }
}

/** Of one start. */
export const workName = ({ key, id, nonce }: Which): string => `${key} ${id} ${nonce}`;
const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
