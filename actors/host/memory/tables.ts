/**
 * What is kept in memory: all of a session in one place, and what is found by another key beside it. Several storages of
 * one process may share it, as processes share a file.
 *
 * I1. What is kept of a session goes with it at once.
 */
import { randomBytes } from "node:crypto";
import type { Exchange } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { Attachment, Consent } from "../reads.ts";
import type {
  RunRow,
  SessionRow,
  StoredActor,
  StoredLetter,
  StoredMail,
  StoredResult,
  StoredTimer,
  StoredWork,
} from "../storage.ts";
import { Journal, Rows, Table } from "./journal.ts";

export type LogRow = Pick<Exchange, "seq" | "at" | "type" | "run"> & { json: string };
export type Letter = StoredLetter & { at: number; accepted: boolean | null };

/** What belongs to one session. */
export class SessionRows {
  readonly actors: Table<Key, StoredActor>;
  /** Those that an actor keeps, by their places. */
  readonly results: Table<Key, Table<number, StoredResult>>;
  readonly log: Rows<LogRow>;
  readonly timers: Table<string, StoredTimer>;
  readonly works: Table<string, StoredWork>;
  readonly mail: Table<number, StoredMail>;
  constructor(journal: Journal) {
    this.actors = new Table(journal);
    this.results = new Table(journal);
    this.log = new Rows(journal);
    this.timers = new Table(journal);
    this.works = new Table(journal);
    this.mail = new Table(journal);
  }
}

export class Tables {
  readonly journal = new Journal();
  readonly sessions = new Table<Key, SessionRow>(this.journal);
  readonly rows = new Table<Key, SessionRows>(this.journal);
  /** The session of each actor. */
  readonly sessionOf = new Table<Key, Key>(this.journal);
  /** The session of each kept mail. */
  readonly mailOf = new Table<number, Key>(this.journal);
  readonly seen = new Table<Key, ReadonlyMap<string, boolean>>(this.journal);
  readonly letters = new Table<number, Letter>(this.journal);
  readonly runs = new Table<string, RunRow>(this.journal);
  readonly trust = new Table<string, number>(this.journal);
  readonly consents = new Table<string, Consent>(this.journal);
  readonly schedules = new Table<string, string>(this.journal);
  readonly attachments = new Table<Key, readonly Attachment[]>(this.journal);
  readonly conversations = new Table<Key, ReadonlyMap<string, readonly string[]>>(this.journal);
  readonly cursorKey = randomBytes(32).toString("hex");
  /** How many transactions there were. */
  commits = 0;
  readonly #nothing = new SessionRows(this.journal);
  #ids = 0;

  /** A number that was never given before. */
  next(): number {
    return ++this.#ids;
  }
  /** What is kept of a session, to read: nothing, where it has nothing. */
  read(session: Key): SessionRows {
    return this.rows.get(session) ?? this.#nothing;
  }
  /** What is kept of a session, to write. */
  of(session: Key): SessionRows {
    const known = this.rows.get(session);
    if (known !== undefined) return known;
    const made = new SessionRows(this.journal);
    this.rows.set(session, made);
    return made;
  }
}
