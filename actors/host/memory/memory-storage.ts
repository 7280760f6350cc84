/**
 * The storage in memory: the same tables as maps. Nothing is written to any file, and nothing outlives the process.
 *
 * I1. A transaction that is rolled back leaves what was there before it.
 * I2. Who has closed it writes nothing any more.
 * I3. Storages over the same tables see each other's commits, as processes over one file do.
 */
import { type Mask, NO_MASKING } from "../../masking/masking.ts";
import type { Storage } from "../storage.ts";
import { actorTable } from "./actors.ts";
import { attachmentTable, consentTable, conversationTable, scheduleTable, trustTable } from "./beside.ts";
import { mailTable, timerTable, workTable } from "./in-hand.ts";
import { letterTable } from "./letters.ts";
import { logTable } from "./log.ts";
import { restTable } from "./rest.ts";
import { runTable } from "./runs.ts";
import { sessionTable } from "./sessions.ts";
import { Tables } from "./tables.ts";

export class MemoryStorage implements Storage {
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
  readonly #tables: Tables;
  #begun = false;
  #closed = false;
  /** Of its own. */
  #commits = 0;
  /** Of others, as it knew them last. */
  #foreign: number;

  constructor(mask: Mask = NO_MASKING, tables = new Tables()) {
    this.mask = mask;
    this.#tables = tables;
    this.#foreign = tables.commits;
    this.sessions = sessionTable(tables);
    this.actors = actorTable(tables);
    this.log = logTable(tables);
    this.runs = runTable(tables);
    this.timers = timerTable(tables);
    this.works = workTable(tables);
    this.mail = mailTable(tables);
    this.letters = letterTable(tables);
    this.rest = restTable(tables);
    this.trust = trustTable(tables);
    this.consents = consentTable(tables);
    this.schedules = scheduleTable(tables);
    this.attachments = attachmentTable(tables);
    this.conversations = conversationTable(tables);
  }

  /** No event loop turns while a transaction is open: another one's cannot be. */
  begin(): void {
    if (this.#begun) return;
    if (this.#closed) throw new Error("the storage is closed");
    this.#tables.journal.begin();
    this.#begun = true;
  }
  commit(): void {
    if (!this.#begun) return;
    this.#begun = false;
    this.#tables.journal.commit();
    this.#tables.commits++;
    this.#commits++;
  }
  rollback(): void {
    if (!this.#begun) return;
    this.#begun = false;
    this.#tables.journal.rollback();
  }
  get begun(): boolean {
    return this.#begun;
  }
  readonly isBusy = (): boolean => false;
  readonly stand = (): void => undefined;

  foreignCommits(): number {
    return this.#tables.commits - this.#commits;
  }
  foreignChange(): boolean {
    const foreign = this.foreignCommits();
    const changed = foreign !== this.#foreign;
    this.#foreign = foreign;
    return changed;
  }
  foreignNews(): boolean {
    return this.foreignChange();
  }
  /** No other process has anything to report. */
  listen(): () => void {
    return () => undefined;
  }
  setting(): string {
    return this.#tables.cursorKey;
  }
  close(): void {
    this.rollback();
    this.#closed = true;
  }
}
