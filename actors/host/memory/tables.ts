/**
 * What is kept in memory: all of a session in one place, and what is found by another key beside it. Several storages of
 * one process may share it, as processes share a file.
 *
 * I1. What is kept of a session goes with it at once.
 */

import type { Exchange } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import { randomWord } from "../../base/random.ts";
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
import { Journal, Rows, Table, type Touched } from "./journal.ts";

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
  readonly journal: Journal;
  readonly sessions: Table<Key, SessionRow>;
  readonly rows: Table<Key, SessionRows>;
  /** The session of each actor. */
  readonly sessionOf: Table<Key, Key>;
  /** The session of each kept mail. */
  readonly mailOf: Table<number, Key>;
  readonly seen: Table<Key, ReadonlyMap<string, boolean>>;
  readonly letters: Table<number, Letter>;
  readonly runs: Table<string, RunRow>;
  readonly trust: Table<string, number>;
  readonly consents: Table<string, Consent>;
  readonly schedules: Table<string, string>;
  readonly attachments: Table<Key, readonly Attachment[]>;
  readonly conversations: Table<Key, ReadonlyMap<string, readonly string[]>>;
  readonly cursorKey = randomWord(32, "hex");
  /** How many transactions there were. */
  commits = 0;
  readonly #nothing: SessionRows;
  #ids = 0;
  /** `touched` hears which rows change. */
  constructor(touched?: Touched) {
    const journal = new Journal(touched);
    this.journal = journal;
    this.sessions = new Table(journal);
    this.rows = new Table(journal);
    this.sessionOf = new Table(journal);
    this.mailOf = new Table(journal);
    this.seen = new Table(journal);
    this.letters = new Table(journal);
    this.runs = new Table(journal);
    this.trust = new Table(journal);
    this.consents = new Table(journal);
    this.schedules = new Table(journal);
    this.attachments = new Table(journal);
    this.conversations = new Table(journal);
    this.#nothing = new SessionRows(journal);
  }

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
