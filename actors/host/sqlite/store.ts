/**
 * The storage on SQLite: one file, shared by all processes of a user. Its tables stand beside this file, its schema in
 * `schema.ts`.
 *
 * I1. All that one tick of the event loop handled is one transaction; it begins at the first touch.
 * I2. `log` rows are only ever inserted, until their session is deleted.
 * I3. `foreignChange()` is true when another process has committed since it was last asked.
 * I4. Nothing is written to a file that a newer Troupe has brought to its form while this process had it open. What can
 *     no longer be read of it is not called damaged.
 * I5. Nor to one that was taken away from its place: it would be lost. One that was replaced while its lock was waited
 *     for, as by a copy that is put back, is opened anew: its log would lie beside the copy, and damage that.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Mask, NO_MASKING } from "../../masking/masking.ts";
import type { Storage } from "../storage.ts";
import { actorTable } from "./actors.ts";
import { ATTACHMENTS_FILE, attachmentTable } from "./attachments.ts";
import { isBusy } from "./busy.ts";
import { Checkpoints, MOST_LEFT, MOST_PAGES } from "./checkpoints.ts";
import { CommitSignal } from "./commit-signal.ts";
import { consentTable } from "./consents.ts";
import { CONVERSATIONS_FILE, conversationTable } from "./conversations.ts";
import { mailTable, timerTable, workTable } from "./in-hand.ts";
import { keepOlder } from "./keep-older.ts";
import { letterTable } from "./letters.ts";
import { logTable } from "./log.ts";
import { restTable } from "./rest.ts";
import { runTable } from "./runs.ts";
import { scheduleTable } from "./schedules.ts";
import { formOf, migrate, refuseNewer, SCHEMA_VERSION } from "./schema.ts";
import { sessionTable } from "./sessions.ts";
import { type Statements, statementsOf } from "./statements.ts";
import { placeGuard } from "./store-place.ts";
import { StoreWatch } from "./store-watch.ts";
import { trustTable } from "./trust.ts";

/** How long opening may wait for others. */
const OPEN_TIMEOUT_MS = 5_000;
/** How long a tick may: longer than a commit takes, and no longer than an event loop may stand still. */
const BUSY_TIMEOUT_MS = 20;
/** How often a store is opened that is replaced each time (I5). */
const OPENINGS = 3;
export type Durability = "normal" | "full";
/** As `new DatabaseSync`. */
type Opening = (file: string, options: { timeout: number }) => DatabaseSync;
const openFile: Opening = (file, options) => new DatabaseSync(file, options);

export class Store implements Storage {
  readonly db: DatabaseSync;
  readonly mask: Mask;
  readonly sessions: Storage["sessions"];
  readonly actors: Storage["actors"];
  readonly log: Storage["log"];
  readonly runs: Storage["runs"];
  readonly timers: Storage["timers"];
  readonly works: Storage["works"];
  readonly mail: Storage["mail"];
  readonly letters: Storage["letters"];
  readonly rest: Storage["rest"];
  readonly trust: Storage["trust"];
  readonly consents: Storage["consents"];
  readonly schedules: Storage["schedules"];
  readonly attachments: Storage["attachments"];
  readonly conversations: Storage["conversations"];
  readonly isBusy = isBusy;
  readonly stand: () => void;
  readonly #sql: Statements;
  #prepared: Statements;
  readonly #bell: CommitSignal;
  readonly #watch: StoreWatch;
  readonly #checkpoints: Checkpoints;
  /** Statements of the transaction under way, and since the one before. */
  #statements = 0;
  #version = 0;
  /** The form of the file's tables, as of then. */
  #form = SCHEMA_VERSION;
  #asked = false;
  /** Asked within the transaction: nobody else has committed until it has. */
  #askedWithin = false;
  #begun = false;

  /** Opens or creates the file. Throws an `Error` when it was written by a later version. */
  constructor(file: string, durability: Durability, mask: Mask = NO_MASKING, open = openFile) {
    this.mask = mask;
    const { db, stand } = opened(file, durability, open);
    this.db = db;
    this.stand = stand;
    this.#prepared = statementsOf(db);
    const sql: Statements = (text) => {
      this.#statements++;
      try {
        return this.#prepared(text);
      } catch (error) {
        refuseNewer(formOf(db)); // I4
        throw error;
      }
    };
    this.#sql = sql;
    this.sessions = sessionTable(sql);
    this.actors = actorTable(sql);
    this.log = logTable(sql);
    this.runs = runTable(sql);
    this.timers = timerTable(sql);
    this.works = workTable(sql);
    this.mail = mailTable(sql);
    this.letters = letterTable(sql);
    this.trust = trustTable(sql);
    this.consents = consentTable(sql);
    this.schedules = scheduleTable(sql);
    this.attachments = attachmentTable(join(dirname(file), ATTACHMENTS_FILE));
    this.conversations = conversationTable(join(dirname(file), CONVERSATIONS_FILE));
    const beside = [ATTACHMENTS_FILE, CONVERSATIONS_FILE].map((name) => join(dirname(file), name));
    this.rest = restTable(sql, db, beside);
    db.exec(`pragma busy_timeout=${BUSY_TIMEOUT_MS}`);
    this.#bell = new CommitSignal(file);
    this.#watch = new StoreWatch(file);
    this.#checkpoints = new Checkpoints(file);
    this.foreignChange();
  }

  begin(): void {
    if (this.#begun) return;
    this.stand(); // I5
    this.#sql("begin immediate").run();
    this.#begun = true;
    this.#askedWithin = false;
  }
  commit(): void {
    if (!this.#begun) return;
    if (!this.#askedWithin) refuseNewer(formOf(this.db)); // I4: what is written between ticks
    this.#sql("commit").run();
    this.#begun = false;
    if (this.#askedWithin) this.#knowsOthers();
    this.#bell.ring();
    this.#checkpoints.note(this.#statements);
    this.#statements = 0;
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

  foreignCommits(): number {
    return Number(this.#sql("pragma data_version").get()?.["data_version"]);
  }
  foreignChange(): boolean {
    const version = this.foreignCommits();
    const changed = version !== this.#version;
    this.#version = version;
    const form = changed ? formOf(this.db) : this.#form;
    if (form !== this.#form) this.#prepared = statementsOf(this.db); // each is looked at anew
    this.#form = form;
    if (this.#begun) refuseNewer(this.#form); // I4
    this.#askedWithin = this.#begun;
    return changed;
  }
  foreignNews(): boolean {
    if (this.#asked) return false;
    this.#knowsOthers();
    return this.foreignChange();
  }
  /** Until all has run that was awaited and is there already: only the event loop brings what another process has said. */
  #knowsOthers(): void {
    this.#asked = true;
    // What waits for a commit runs in microtasks, which are emptied before the next tick of the process.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#asked = false;
      }),
    );
  }
  listen(heard: () => void): () => void {
    this.stand();
    return this.#watch.listen(heard);
  }

  setting(name: string): string {
    return this.#sql("select value from setting where name=?").get(name)?.["value"] as string;
  }
  close(): void {
    this.rollback();
    this.#checkpoints.close();
    this.db.close();
    this.#bell.close();
  }
}

/** The file in the form of today, and the guard of its place. One that cannot be used is not left open: who needs it tries again. */
function opened(
  file: string,
  durability: Durability,
  open: Opening,
  left = OPENINGS,
): { db: DatabaseSync; stand: () => void } {
  const before = existsSync(file) ? placeGuard(file) : null;
  const db = open(file, { timeout: OPEN_TIMEOUT_MS });
  const stand = before ?? placeGuard(file);
  try {
    // Of a file that is made now free room can be given back in use. Asked of one that is there, it waits for writers.
    const isNew = db.prepare("pragma page_count").get()?.["page_count"] === 0;
    if (isNew) db.exec("pragma auto_vacuum=incremental");
    db.exec(
      `pragma journal_mode=wal; pragma synchronous=${durability === "full" ? "full" : "normal"}; pragma wal_autocheckpoint=${MOST_PAGES}; pragma journal_size_limit=${MOST_LEFT};`,
    );
    stand(); // from here on it has a lock by which no copy is put into its place
    keepOlder(db, file);
    migrate(db);
    return { db, stand };
  } catch (error) {
    db.close();
    if (left > 1 && isMoved(stand)) return opened(file, durability, open, left - 1);
    throw error;
  }
}

function isMoved(stand: () => void): boolean {
  try {
    stand();
    return false;
  } catch {
    return true;
  }
}
