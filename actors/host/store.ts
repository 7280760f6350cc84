/**
 * The SQLite file under the embedded host: its schema and every statement. Shared by all processes of a user.
 *
 * I1. All that one tick of the event loop handled is one transaction; it begins at the first touch.
 * I2. `log` rows are only ever inserted, until their session is deleted.
 * I3. `foreignChange()` is true when another process has committed since it was last asked.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { EventObject } from "xstate";
import type { Exchange, Row } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { type Mask, NO_MASKING } from "../masking/masking.ts";
import type { Due } from "./alarms.ts";
import { Bell } from "./bell.ts";
import type { Mail } from "./mail.ts";

export const SCHEMA_VERSION = 1;
export const BUSY_TIMEOUT_MS = 5_000;
export type Durability = "normal" | "full";

const SCHEMA = `
create table session(id text primary key, owner text, cwd text not null, principal text not null, created integer not null, title text, updated integer not null) without rowid;
create index session_updated on session(principal, updated);
create index session_cwd on session(principal, cwd, updated);
create table actor(key text primary key, session text not null, parent text, child text not null, nonce integer not null, input text not null, snap text) without rowid;
create table log(session text not null, seq integer not null, at integer not null, type text not null, run text, row text not null, primary key(session, seq)) without rowid;
create index log_run on log(run, type) where type in ('run.started', 'run.completed');
create index log_started on log(at) where type = 'run.started';
create table timer(key text not null, id text not null, session text not null, due integer not null, event text not null, primary key(key, id)) without rowid;
create index timer_session on timer(session);
create table work(key text not null, id text not null, session text not null, nonce integer not null, primary key(key, id)) without rowid;
create index work_session on work(session);
create table mail(id integer primary key, session text not null, key text not null, event text not null, nonce integer);
create table seen(key text not null, id text not null, accepted integer not null, primary key(key, id)) without rowid;
create table trust(cwd text primary key, at integer not null) without rowid;
create table setting(name text primary key, value text not null) without rowid;
`;

const SQL = {
  load: "select session, parent, child, nonce, input, snap from actor where key=?",
  birth: "insert into actor values(?,?,?,?,?,?,?)",
  save: "update actor set snap=? where key=?",
  drop: "delete from actor where key=?",
  row: "insert into log values(?,?,?,?,?,?)",
  head: "select max(seq) as seq from log where session=?",
  rows: "select seq, at, row from log where session=? and seq>? order by seq limit ?",
  timer: "insert or replace into timer values(?,?,?,?,?)",
  untimer: "delete from timer where key=? and id=?",
  untimerAll: "delete from timer where key=?",
  timers: "select key, id, due, event from timer where session=?",
  timersOf: "select t.key, t.id, t.due, t.event from timer t join session s on s.id=t.session where s.owner=?",
  start: "insert or replace into work values(?,?,?,?)",
  unstart: "delete from work where key=? and id=?",
  works: "select key, id, nonce from work where session=?",
  mail: "insert into mail(session, key, event, nonce) values(?,?,?,?)",
  unmail: "delete from mail where id=?",
  mails: "select id, key, event, nonce from mail where session=? order by id",
  seen: "select accepted from seen where key=? and id=?",
  see: "insert or replace into seen values(?,?,?)",
  unsee: "delete from seen where key=?",
  open: "insert or ignore into session values(?1,?2,?3,?4,?5,null,?5)",
  owner: "select owner from session where id=?",
  take: "update session set owner=? where id=? and owner is ?",
  leave: "update session set owner=? where id=?",
  owned: "select id from session where owner=?",
  touch: "update session set updated=? where id=?",
  title: "update session set title=?, updated=? where id=?",
  runs: `select exists(select 1 from work where session=?1) or exists(select 1 from timer where session=?1)
    or exists(select 1 from mail where session=?1)
    or exists(select 1 from actor where key>'permission/' and key<'permission0' and session=?1) as runs`,
  version: "pragma data_version",
} as const;
export type Statements = { readonly [name in keyof typeof SQL]: StatementSync };

export class Store {
  readonly db: DatabaseSync;
  readonly sql: Statements;
  /** State of machines is hidden in what is written, and revealed in what is read. */
  readonly mask: Mask;
  readonly #bell: Bell;
  #version = 0;
  #begun = false;

  /** Opens or creates the file. Throws an `Error` when it was written by a later version. */
  constructor(file: string, durability: Durability, mask: Mask = NO_MASKING) {
    this.mask = mask;
    const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    this.db = db;
    db.exec(
      `pragma journal_mode=wal; pragma synchronous=${durability === "full" ? "full" : "normal"}; pragma wal_autocheckpoint=4000;`,
    );
    this.#migrate();
    this.sql = Object.fromEntries(Object.entries(SQL).map(([name, text]) => [name, db.prepare(text)])) as Statements;
    this.#bell = new Bell(file);
    this.foreignChange();
  }

  /** Joins the tick's transaction, beginning it when this is the first touch. */
  begin(): void {
    if (this.#begun) return;
    this.db.exec("begin immediate");
    this.#begun = true;
  }
  commit(): void {
    if (!this.#begun) return;
    this.db.exec("commit");
    this.#begun = false;
    this.#bell.ring();
  }
  rollback(): void {
    if (!this.#begun) return;
    this.#begun = false;
    try {
      this.db.exec("rollback");
    } catch {
      // a failed commit has already rolled back
    }
  }
  get begun(): boolean {
    return this.#begun;
  }

  /** Whether another process has committed since the last call (I3). */
  foreignChange(): boolean {
    const version = Number(this.sql.version.get()?.["data_version"]);
    const changed = version !== this.#version;
    this.#version = version;
    return changed;
  }

  /** Rows of a session after `after`, oldest first. */
  rows(session: Key, after: number, limit: number): Exchange[] {
    return this.sql.rows.all(session, after, limit).map((r) => ({
      ...(JSON.parse(r["row"] as string) as Row),
      seq: r["seq"] as number,
      at: r["at"] as number,
    }));
  }
  /** `json` is the row without what the log adds. */
  append(session: Key, row: Exchange, json: string): void {
    const { seq, at, type, run } = row;
    this.sql.row.run(session, seq, at, type, run ?? null, json);
    if (type === "turn.started" || type === "turn.completed") this.sql.touch.run(at, session);
    else if (type === "session.updated" && row.payload.title !== undefined)
      this.sql.title.run(row.payload.title, at, session);
  }
  /** Whether anything of a session runs: work, a timer, mail on its way, a question that waits for its answer. */
  runs(session: Key): boolean {
    return Number(this.sql.runs.get(session)?.["runs"]) === 1;
  }
  /** The timers of one session, or of all sessions of an owner. */
  timers(of: { session: Key } | { owner: string }): Due[] {
    const rows = "session" in of ? this.sql.timers.all(of.session) : this.sql.timersOf.all(of.owner);
    return rows.map((row) => ({
      key: row["key"] as Key,
      id: row["id"] as string,
      at: row["due"] as number,
      event: this.mask.reveal(row["event"] as string) as EventObject,
    }));
  }
  /**
   * Writes down mail whose tick was cut and answers its row. What a caller waits for is not promised yet, and a timer
   * has a row of its own.
   */
  keepMail({ key, event, nonce, done, timer }: Mail, session: Key | undefined): number | undefined {
    if (done !== undefined || timer !== undefined || session === undefined) return undefined;
    return Number(this.sql.mail.run(session, key, this.mask.hide(event), nonce ?? null).lastInsertRowid);
  }

  /** For the facade's own reads: history, lists, trust. */
  query(text: string, ...values: SQLInputValue[]): Record<string, unknown>[] {
    return this.db.prepare(text).all(...values);
  }
  run(text: string, ...values: SQLInputValue[]): void {
    this.db.prepare(text).run(...values);
  }
  close(): void {
    this.rollback();
    this.db.close();
    this.#bell.close();
  }

  #migrate(): void {
    const version = (): number => Number(this.db.prepare("pragma user_version").get()?.["user_version"] ?? 0);
    if (version() === SCHEMA_VERSION) return;
    this.db.exec("begin immediate");
    try {
      const found = version(); // another process may have been first
      if (found > SCHEMA_VERSION)
        throw new Error(`the store was written by a later version (schema ${found}, this one knows ${SCHEMA_VERSION})`);
      if (found === 0) this.db.exec(`${SCHEMA} pragma user_version=${SCHEMA_VERSION};`);
      this.db.exec("commit");
    } catch (error) {
      this.db.exec("rollback");
      throw error;
    }
  }
}
