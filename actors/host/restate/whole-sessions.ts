/**
 * Sessions of the store as wholes: listed, read into tables in memory, written from them, taken out.
 *
 * I1. A session is read in one transaction, and written or taken out in one.
 * I2. It is taken out only while it is as it was read: its epoch and the end of its log say so.
 */
import type { Key } from "../../../machines/model.ts";
import { Table } from "../memory/journal.ts";
import type { LogRow, Tables } from "../memory/tables.ts";
import { type Statements, statementsOf } from "../sqlite/statements.ts";
import type { Store } from "../sqlite/store.ts";
import type { RunRow, SessionRow, StoredResult } from "../storage.ts";
import type { MovedFrom } from "./protocol.ts";

/** Why a session does not move: a process has it, or it was cut off and nobody has resumed it. */
export type Stays = "owned" | "cut off";

const LISTED = "select id, epoch from session order by updated, id";
/** Once for all sessions: there is no index by session. */
const ACTORS = "select key, session from actor";
const LOG = "select seq, at, type, run, row from log where session=(select n from session where id=?) order by seq";
const RUNS = `select id, workflow, parent, seq, at, phase, ended from run where session=?`;
const SEEN = "select id, accepted from seen where key=?";
const ADD_SESSION = `insert into session(id, owner, cwd, principal, created, title, updated, epoch)
  values(?,null,?,?,?,?,?,?)`;
const ADD_LOG =
  "insert into log(session, seq, at, type, run, row) values((select n from session where id=?),?,?,?,?,?)";
const ADD_RUN =
  "insert or replace into run(id, session, principal, workflow, parent, seq, at, phase, ended) values(?,?,?,?,?,?,?,?,?)";

export class WholeSessions {
  readonly #store: Store;
  readonly #sql: Statements;
  readonly #isAlive: (owner: string) => boolean;
  /** The epoch that each session was listed in, and its actors then. */
  readonly #listed = new Map<Key, { epoch: number; actors: Key[] }>();
  constructor(store: Store, isAlive: (owner: string) => boolean) {
    this.#store = store;
    this.#sql = statementsOf(store.db);
    this.#isAlive = isAlive;
  }

  list(): Key[] {
    return this.#within(() => {
      this.#listed.clear();
      for (const { id, epoch } of this.#sql(LISTED).all())
        this.#listed.set(id as Key, { epoch: epoch as number, actors: [] });
      for (const { key, session } of this.#sql(ACTORS).all()) this.#listed.get(session as Key)?.actors.push(key as Key);
      return [...this.#listed.keys()];
    });
  }
  /** How it stands now; undefined where there is none. */
  standing(session: Key): MovedFrom | undefined {
    const found = this.#store.sessions.find(session);
    return found && { epoch: found.epoch, seq: this.#store.log.head(session).seq };
  }
  /** One that was listed. */
  read(session: Key, tables: Tables): MovedFrom | Stays {
    return this.#within(() => {
      const about = this.#store.sessions.find(session);
      if (about === undefined || about.epoch !== this.#listed.get(session)?.epoch) return "owned"; // used just now
      if (about.owner !== null) return this.#isAlive(about.owner) ? "owned" : "cut off";
      if (this.#store.works.of(session).length + this.#store.mail.of(session).length > 0) return "cut off";
      this.#readAll(about, tables);
      return { epoch: about.epoch, seq: this.#store.log.head(session).seq };
    });
  }
  /** False where there is one already. */
  write(session: Key, tables: Tables): boolean {
    return this.#within(() => {
      if (this.#store.sessions.find(session) !== undefined) return false;
      this.#writeAll(session, tables);
      return true;
    });
  }
  /** False where it has changed since (I2). */
  drop(session: Key, { epoch, seq }: MovedFrom): boolean {
    const isDropped = this.#within(() => {
      const now = this.standing(session);
      if (now?.epoch !== epoch || now.seq !== seq || this.#store.sessions.find(session)?.owner !== null) return false;
      for (const key of this.#listed.get(session)?.actors ?? []) {
        this.#store.actors.drop(key);
        this.#store.mail.forget(key);
      }
      this.#store.sessions.drop(session);
      return true;
    });
    if (!isDropped) return false;
    this.#store.attachments.forget(session);
    this.#store.conversations.forget(session);
    return true;
  }

  #within<T>(act: () => T): T {
    this.#store.begin();
    try {
      const done = act();
      this.#store.commit();
      return done;
    } catch (error) {
      this.#store.rollback();
      throw error;
    }
  }

  #readAll(about: SessionRow, tables: Tables): void {
    const { session } = about;
    const of = tables.of(session);
    tables.sessions.set(session, about);
    for (const key of this.#listed.get(session)?.actors ?? []) {
      const actor = this.#store.actors.load(key);
      if (actor !== undefined) {
        tables.sessionOf.set(key, session);
        of.actors.set(key, actor);
      }
      this.#readBeside(key, tables, of);
    }
    for (const timer of this.#store.timers.of({ session })) of.timers.set(`${timer.key} ${timer.id}`, timer);
    for (const row of this.#sql(LOG).all(session)) {
      const { seq, at, type, run, row: json } = row as unknown as LogRow & { row: string; run: string | null };
      of.log.add({ seq, at, type, ...(run === null ? {} : { run }), json });
    }
    for (const { id } of this.#sql(RUNS).all(session)) {
      const run = this.#store.runs.find(id as string);
      if (run !== undefined) tables.runs.set(run.run, run);
    }
  }
  #readBeside(key: Key, tables: Tables, of: ReturnType<Tables["of"]>): void {
    const results = this.#store.actors.results(key);
    if (results.length > 0) {
      const table = new Table<number, StoredResult>(tables.journal);
      of.results.set(key, table);
      for (const result of results) table.set(result.n, result);
    }
    const seen = this.#sql(SEEN)
      .all(key)
      .map(({ id, accepted }) => [id as string, accepted === 1] as const);
    if (seen.length > 0) tables.seen.set(key, new Map(seen));
  }

  #writeAll(session: Key, tables: Tables): void {
    const about = tables.sessions.get(session);
    if (about === undefined) throw new Error(`there is no "${session}"`);
    const of = tables.read(session);
    const { cwd, principal, title, updated, epoch } = about;
    const created = of.log.all[0]?.at ?? updated;
    this.#sql(ADD_SESSION).run(session, cwd, principal, created, title, updated, epoch);
    for (const [key, { birth, snap, ...actor }] of of.actors.entries()) {
      this.#store.actors.add({ ...actor, key }, birth, snap);
      for (const [, result] of of.results.get(key)?.entries() ?? []) this.#store.actors.keepResult(key, result);
      for (const [id, accepted] of tables.seen.get(key) ?? []) this.#store.mail.see(key, id, accepted);
    }
    for (const [, timer] of of.timers.entries()) this.#store.timers.set(session, timer);
    for (const { seq, at, type, run, json } of of.log.all)
      this.#sql(ADD_LOG).run(session, seq, at, type, run ?? null, json);
    for (const [, run] of tables.runs.entries()) if (run.session === session) this.#writeRun(run, principal);
  }
  #writeRun({ run, session, workflow, parentRun, begun, phase, ended }: RunRow, principal: string): void {
    const { seq, at } = begun ?? { seq: null, at: null };
    this.#sql(ADD_RUN).run(run, session, principal, workflow, parentRun, seq, at, phase, ended);
  }
}
