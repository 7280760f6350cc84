/**
 * The SQLite file under the embedded host: every statement. Its schema is in `schema.ts`. Shared by all processes of a user.
 *
 * I1. All that one tick of the event loop handled is one transaction; it begins at the first touch.
 * I2. `log` rows are only ever inserted, until their session is deleted.
 * I3. `foreignChange()` is true when another process has committed since it was last asked.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { EventObject } from "xstate";
import { LIMIT } from "../../machines/address.ts";
import type { Exchange } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { type Mask, NO_MASKING } from "../masking/masking.ts";
import type { Due } from "./alarms.ts";
import { CommitSignal } from "./commit-signal.ts";
import type { Mail } from "./mail.ts";
import { migrate } from "./schema.ts";
import { actorTable } from "./sqlite/actors.ts";
import { exchangeOf, logTable } from "./sqlite/log.ts";
import { sessionTable } from "./sqlite/sessions.ts";
import { statementsOf } from "./sqlite/statements.ts";
import { StoreWatch } from "./sqlite/store-watch.ts";
import { trustTable } from "./sqlite/trust.ts";
import type { ActorTable, LogTable, SessionTable, StorageReads, TrustTable } from "./storage.ts";

/** How long opening may wait for others. */
const OPEN_TIMEOUT_MS = 5_000;
/** How long a tick may: longer than a commit takes, and no longer than an event loop may stand still. */
const BUSY_TIMEOUT_MS = 20;
export type Durability = "normal" | "full";

const SQL = {
  begin: "begin immediate",
  commit: "commit",
  load: `select session, parent, child, nonce, coalesce(actor.input, birth.input) as input, snap
    from actor left join birth on birth.id=actor.birth where key=?`,
  actor: "insert into actor(key, session, parent, child, nonce, input, birth, snap) values(?,?,?,?,?,?,?,?)",
  birth: "insert into birth(input) values(?)",
  sessionOf: "select session from actor where key=?",
  save: "update actor set snap=? where key=?",
  drop: "delete from actor where key=?",
  row: "insert into log values(?,?,?,?,?,?)",
  head: "select seq, at from log where session=? order by seq desc limit 1",
  rows: "select seq, at, row from log where session=? and seq>? order by seq limit ?",
  timer: "insert or replace into timer(session, key, id, due, event) values(?,?,?,?,?)",
  untimer: "delete from timer where session=? and key=? and id=?",
  untimerAll: "delete from timer where session=? and key=?",
  timers: "select key, id, due, event from timer where session=?",
  timersOf: "select t.key, t.id, t.due, t.event from timer t join session s on s.id=t.session where s.owner=?",
  start: "insert or replace into work(session, key, id, nonce) values(?,?,?,?)",
  unstart: "delete from work where session=? and key=? and id=?",
  works: "select key, id, nonce from work where session=?",
  mail: "insert into mail(session, key, event, nonce) values(?,?,?,?)",
  unmail: "delete from mail where id=?",
  mails: "select id, key, event, nonce from mail where session=? order by id",
  seen: "select accepted from seen where key=? and id=?",
  see: "insert or replace into seen values(?,?,?)",
  unsee: "delete from seen where key=?",
  open: "insert or ignore into session values(?1,?2,?3,?4,?5,null,?5,1)",
  owner: "select owner, epoch from session where id=?",
  take: "update session set owner=?, epoch=epoch+1 where id=? and owner is ? returning epoch",
  leave: "update session set owner=? where id=? and epoch=?",
  owned: "select id, epoch from session where owner=?",
  touch: "update session set updated=? where id=?",
  title: "update session set title=?, updated=? where id=?",
  runs: `select exists(select 1 from work where session=?1) or exists(select 1 from timer where session=?1 and id<>'${LIMIT}')
    or exists(select 1 from mail where session=?1)
    or (exists(select 1 from actor where key>'permission/' and key<'permission0' and session=?1)
      and not exists(select 1 from actor where key=?1 and json_extract(snap, '$.value')='interrupted')) as runs`,
  version: "pragma data_version",
} as const;
export type Statements = { readonly [name in keyof typeof SQL]: StatementSync };

/** What the row of an actor says of it besides its state. */
export type Newborn = { key: Key; session: Key; parent: Key | null; childId: string; nonce: number };
/** How much of a log is read at once: so many rows, and none after so many characters. */
export type PageSize = { rows: number; chars: number };
/** `isLast`: the log has no more. */
export type Page = { rows: Exchange[]; isLast: boolean };
/** Births up to this many characters stand in their actor's row. */
const MOST_INLINE = 256;

export class Store implements StorageReads {
  readonly db: DatabaseSync;
  readonly sessions: SessionTable;
  readonly actors: ActorTable;
  readonly log: LogTable;
  readonly trust: TrustTable;
  readonly #watch: StoreWatch;
  readonly sql: Statements;
  /** State of machines is hidden in what is written, and revealed in what is read. */
  readonly mask: Mask;
  readonly #bell: CommitSignal;
  #version = 0;
  #asked = false;
  #begun = false;

  /** Opens or creates the file. Throws an `Error` when it was written by a later version. */
  constructor(file: string, durability: Durability, mask: Mask = NO_MASKING) {
    this.mask = mask;
    const db = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
    this.db = db;
    db.exec(
      `pragma journal_mode=wal; pragma synchronous=${durability === "full" ? "full" : "normal"}; pragma wal_autocheckpoint=4000;`,
    );
    migrate(db);
    this.sql = Object.fromEntries(Object.entries(SQL).map(([name, text]) => [name, db.prepare(text)])) as Statements;
    db.exec(`pragma busy_timeout=${BUSY_TIMEOUT_MS}`);
    const statements = statementsOf(db);
    this.sessions = sessionTable(statements);
    this.actors = actorTable(statements);
    this.log = logTable(statements);
    this.trust = trustTable(statements);
    this.#bell = new CommitSignal(file);
    this.#watch = new StoreWatch(file);
    this.foreignChange();
  }

  /** Joins the tick's transaction, beginning it when this is the first touch. */
  begin(): void {
    if (this.#begun) return;
    this.sql.begin.run();
    this.#begun = true;
  }
  commit(): void {
    if (!this.#begun) return;
    this.sql.commit.run();
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

  /** The same, but once in a synchronous piece of work: within it nobody can have heard of another process's commit. */
  foreignNews(): boolean {
    if (this.#asked) return false;
    this.#asked = true;
    queueMicrotask(() => {
      this.#asked = false;
    });
    return this.foreignChange();
  }

  /** A newborn's row. A birth that is not small has a row of its own: snapshots change often, births never. */
  birth(actor: Newborn, input: string, snap: string): void {
    const { key, session, parent, childId, nonce } = actor;
    const birth = input.length <= MOST_INLINE ? null : this.sql.birth.run(input).lastInsertRowid;
    this.sql.actor.run(key, session, parent, childId, nonce, birth === null ? input : null, birth, snap);
  }

  /** Rows of a session after `after`, oldest first. */
  rows(session: Key, after: number, limit: number): Exchange[] {
    return this.sql.rows.all(session, after, limit).map(exchangeOf);
  }
  /** As many of them as fit a page, one at least. */
  page(session: Key, after: number, size: PageSize): Page {
    const rows: Exchange[] = [];
    let chars = 0;
    for (const row of this.sql.rows.iterate(session, after, size.rows)) {
      rows.push(exchangeOf(row));
      chars += (row["row"] as string).length;
      if (chars >= size.chars) return { rows, isLast: false };
    }
    return { rows, isLast: rows.length < size.rows };
  }
  /** `json` is the row without what the log adds. */
  append(session: Key, row: Exchange, json: string): void {
    const { seq, at, type, run } = row;
    this.sql.row.run(session, seq, at, type, run ?? null, json);
    if (type === "turn.started" || type === "turn.completed") this.sql.touch.run(at, session);
    else if (type === "session.updated" && row.payload.title !== undefined)
      this.sql.title.run(row.payload.title, at, session);
  }
  /**
   * Whether anything of a session runs: work, a timer that is no limit of it, mail on its way, a question that waits for its answer. What was
   * asked before a crash is asked of nobody until somebody goes on.
   */
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
   * Writes down mail whose tick was cut and answers its row. What a caller waits for is not promised yet; a timer and
   * a letter have rows of their own.
   */
  keepMail({ key, event, nonce, done, timer, letter }: Mail, session: Key | undefined): number | undefined {
    if ([done, timer, letter].some((one) => one !== undefined) || session === undefined) return undefined;
    return Number(this.sql.mail.run(session, key, this.mask.hide(event), nonce ?? null).lastInsertRowid);
  }

  setting(name: string): string {
    return this.query("select value from setting where name=?", name)[0]?.["value"] as string;
  }
  /** Calls `heard` when somebody has committed, until the answer is called. */
  listen(heard: () => void): () => void {
    return this.#watch.listen(heard);
  }
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
}

const SQLITE_BUSY = 5;
const KIND = 0xff;
/** Whether another process has what was asked for. */
export const isBusy = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "errcode" in error && (Number(error.errcode) & KIND) === SQLITE_BUSY;
