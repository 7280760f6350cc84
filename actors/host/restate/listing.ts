/**
 * What lists say of one session and its runs, as an index of the engine keeps it: what a commit changes of that.
 *
 * I1. What was noted stands in a row of the session, so that any worker knows it: a commit notes what has changed, and
 *     nothing else.
 * I2. What is noted is made of what the session keeps: secrets in it are hidden.
 * I3. A session that was never prompted is in no list. A run that has ended is noted once more, and never again.
 */
import { createHash } from "node:crypto";
import type { Exchange, Row, RowOf } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { LogRow, Tables } from "../memory/tables.ts";
import type { ListedReading, ListedSession, RunAbout, RunEnd, RunsSession } from "../reads.ts";
import { askedFor, openStands } from "../run-reads.ts";
import { readingOf } from "../session-reads.ts";
import type { Head, Storage } from "../storage.ts";
import type { NamedRow, Note } from "./protocol.ts";
import { askedShard, idShard, monthShard, placeAt } from "./shards.ts";

/** What was noted under a list and an id. `first`: of a run that waits to begin. */
type Noted = { shard: string; digest: string; first?: Head };
type Wanted = { list: string; id: string; shard: string; place: string; value: string; first?: Head };
export type ListingStore = { store: Storage; tables: Tables; session: Key };
/** Of one commit: its number, the rows that it changes, and what it adds to the log. */
export type Changing = { n: number; rows: readonly NamedRow[]; log: readonly LogRow[] };

const NOTED = "noted ";
const PLACES = ["session", "run ", "actor session/", "actor turn/"];

export class Listing {
  readonly #noted = new Map<string, Noted>();
  constructor(rows: readonly NamedRow[]) {
    for (const [name, row] of rows) if (name.startsWith(NOTED) && row !== null) this.#noted.set(name, JSON.parse(row));
  }

  /** I1. */
  take(of: ListingStore, { n, rows, log }: Changing): { notes: Note[]; rows: NamedRow[] } {
    if (!rows.some(([name]) => PLACES.some((place) => name.startsWith(place)))) return { notes: [], rows: [] };
    const notes: Note[] = [];
    const changed: NamedRow[] = [];
    const wanted = new Map(this.#wanted(of, log).map((one) => [nameOf(one), one]));
    for (const [name, { list, id, shard, place, value, first }] of wanted) {
      const known = this.#noted.get(name);
      const digest = createHash("sha256").update(`${place} ${value}`).digest("base64url").slice(0, 16);
      if (known?.digest === digest && known.shard === shard) continue;
      if (known !== undefined && known.shard !== shard)
        notes.push({ shard: known.shard, put: { list, id, n, at: null } });
      notes.push({ shard, put: { list, id, n, at: { place, value } } });
      const noted: Noted = { shard, digest, ...(first === undefined ? {} : { first }) };
      this.#noted.set(name, noted);
      changed.push([name, JSON.stringify(noted)]);
    }
    for (const [name, { shard }] of this.#noted) {
      const { list, id } = placeOf(name);
      if (wanted.has(name) || (list !== "open" && list !== "asked")) continue;
      notes.push({ shard, put: { list, id, n, at: null } });
      this.#noted.delete(name);
      changed.push([name, null]);
    }
    return { notes, rows: changed };
  }

  #wanted({ store, tables, session }: ListingStore, log: readonly LogRow[]): Wanted[] {
    const row = store.sessions.find(session);
    if (row === undefined) return [];
    const snap = store.actors.snap(session);
    const { cwd, principal, title, updated } = row;
    const isOwned = row.owner !== null;
    const of: RunsSession = { session, cwd, principal, updated, isOwned };
    const wanted: Wanted[] = [];
    const isPrompted = title !== null || log.some(({ type }) => type === "turn.started");
    if (isPrompted || this.#noted.has(nameOf({ list: "sessions", id: session }))) {
      const reading = snap === undefined ? null : listedReading(snap);
      const listed: ListedSession = { session, cwd, principal, title, updated, isOwned, reading };
      const place = placeAt(updated, session);
      const shard = monthShard(principal, updated);
      wanted.push({ list: "sessions", id: session, shard, place, value: JSON.stringify(listed) });
    }
    const stands = openStands(store, session, of);
    for (const { run, workflow, parentRun, begun, ended } of tables.runs.values()) {
      if (this.#isOver(run) || begun === null) continue;
      const end = ended === null ? null : endIn(log, ended);
      const about = { run, session, workflow, parentRun, ...begun, begun: true, end, of };
      wanted.push(...this.#begun({ ...about, ...(end === null ? stands : { stands: end.status }) }));
    }
    for (const { run, workflow, seq, at, ended } of askedFor({ storage: store })) {
      const first = this.#noted.get(nameOf({ list: "asked", id: run }))?.first ?? { seq, at: at === 0 ? updated : at };
      const end = ended === null ? null : endIn(log, ended);
      const about = { run, session, workflow, parentRun: null, ...first, begun: false, end, of };
      const shard = askedShard(principal);
      const value = JSON.stringify({
        ...about,
        ...(end === null ? stands : { stands: end.status }),
      } satisfies RunAbout);
      wanted.push({ list: "asked", id: run, shard, place: placeAt(first.at, run), value, first }, this.#named(about));
    }
    return wanted;
  }

  #begun(about: RunAbout): Wanted[] {
    const named = this.#named(about);
    if (about.parentRun !== null) return [named];
    const { run: id, at, of } = about;
    const place = placeAt(at, id);
    const entry = { id, shard: monthShard(of?.principal ?? "", at), place, value: JSON.stringify(about) };
    return [named, { list: "runs", ...entry }, ...(about.end === null ? [{ list: "open", ...entry }] : [])];
  }
  #named({ run, session, of }: Pick<RunAbout, "run" | "session" | "of">): Wanted {
    const value = JSON.stringify({ session, principal: of?.principal ?? "" });
    return { list: "ids", id: run, shard: idShard(run), place: run, value };
  }
  /** I3. */
  #isOver(run: string): boolean {
    const has = (list: string): boolean => this.#noted.has(nameOf({ list, id: run }));
    return has("runs") && !has("open");
  }
}

/** What takes all out of the lists that was noted in these rows. */
export const forgetting = (noted: readonly NamedRow[], n: number): Note[] =>
  noted.flatMap(([name, row]) => {
    const { shard } = JSON.parse(row ?? "{}") as Partial<Noted>;
    return shard === undefined ? [] : [{ shard, put: { ...placeOf(name), n, at: null } }];
  });
export const isNoted = (name: string): boolean => name.startsWith(NOTED);

function listedReading(snap: string): ListedReading {
  const { value, workflow, forkedFrom, remembered } = readingOf(snap);
  return { value, workflow, forkedFrom, remembered };
}
const nameOf = ({ list, id }: Pick<Wanted, "list" | "id">): string => `${NOTED}${list} ${id}`;
function placeOf(name: string): { list: string; id: string } {
  const [, list = "", id = ""] = name.split(" ");
  return { list, id };
}

/** Its last row is of the commit that ends it. */
function endIn(log: readonly LogRow[], ended: number): RunEnd | null {
  const row = log.find(({ seq }) => seq === ended);
  if (row === undefined) return null;
  const { payload } = JSON.parse(row.json) as Row as Exchange<RowOf<"run.completed">>;
  return { ...payload, seq: row.seq, at: row.at };
}
