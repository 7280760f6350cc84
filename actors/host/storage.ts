/**
 * The seam under the host: tables of rows, wherever they are kept. The host decides; a storage keeps, finds and takes back.
 *
 * I1. State of machines, births, events and rows come as JSON in which secrets are hidden, and go as they came.
 * I2. What is written between `begin` and `commit` is there at once for who reads it here, and never was after `rollback`.
 * I3. No other process writes meanwhile.
 */
import type { Exchange, Row } from "../../machines/exchange.ts";
import type { Key, Kind, Status } from "../../machines/model.ts";
import type { Mask } from "../masking/masking.ts";
import type { LetterTable } from "./letter-table.ts";
import type { Attachment, ConsentTable, OutlineRead, PageQuery } from "./reads.ts";
import type { RestTable } from "./rest-table.ts";
import type { ScheduleTable } from "./schedule-table.ts";
import type { Within } from "./within.ts";

export type { LetterTable, StoredLetter } from "./letter-table.ts";

/** The owner of a session whose host was stopped while something of it ran. */
export const GIVEN_UP = "stopped";

/** A session that was updated less long ago is not updated again: a list says when to a second, and each change is written in three places. */
export const UPDATED_MS = 1_000;

/** `owner`: null while nothing of it runs. `epoch`: rises with each taking. */
export type SessionRow = {
  session: Key;
  cwd: string;
  principal: string;
  title: string | null;
  updated: number;
  owner: string | null;
  epoch: number;
};
/** `snap`: null where its machine is gone. */
export type ListedRow = SessionRow & { snap: string | null };
export type UsedSession = Pick<SessionRow, "session" | "updated">;

export interface SessionTable {
  find(session: Key): SessionRow | undefined;
  /** As `SessionReads.page`. */
  page(query: PageQuery): ListedRow[];
  /** As `SessionReads.titlesBeside`. */
  titlesBeside(session: Key, limit: number): (string | null)[];
  /** At most so many sessions of a folder, in no order. `principal`: whose; null: any principal's. */
  within(within: Within, principal: string | null, limit: number): UsedSession[];
  /** A new one, held by its owner in epoch 1. False when there is one of this name. */
  open(session: Key, owner: string, cwd: string, principal: string, at: number): boolean;
  /**
   * Takes it for `owner` where it is `from`'s: answers the new epoch, or nothing where it is not. A run of it that was
   * parked is open.
   */
  take(session: Key, owner: string, from: string | null): number | undefined;
  /** Gives it up, if it is held in this epoch. Where it has no owner then and its machine is parked, so is its run. */
  leave(session: Key, epoch: number, owner: string | null): void;
  ownedBy(owner: string): { session: Key; epoch: number }[];
  /**
   * Whether anything of it runs: work, a timer that is no limit of it, mail on its way, a question that waits for its
   * answer. What was asked before a crash is not asked until the run is resumed.
   */
  runs(session: Key): boolean;
  /** It goes, with its log, runs, timers, work, mail and letters; its actors are dropped one by one. */
  drop(session: Key): void;
}

/** What the row of an actor says of it besides its state. */
export type Newborn = { key: Key; session: Key; parent: Key | null; childId: string; nonce: number };
export type StoredActor = Omit<Newborn, "key"> & { birth: string; snap: string };
/** A result of a state that an actor keeps. `n`: its place among them, from 0. */
export type StoredResult = { n: number; state: string; result: string };

export interface ActorTable {
  load(key: Key): StoredActor | undefined;
  add(actor: Newborn, birth: string, snap: string): void;
  save(key: Key, snap: string): void;
  /** Its results go with it. */
  drop(key: Key): void;
  /** The results of states that an actor keeps, in their order. */
  results(key: Key): StoredResult[];
  /** Takes the place of the one that has this `n`. */
  keepResult(key: Key, result: StoredResult): void;
  /** All from this `n` on. */
  dropResults(key: Key, from: number): void;
  snap(key: Key): string | undefined;
  sessionOf(key: Key): Key | undefined;
  /** What the parent of a key was born with. */
  birthAbove(key: Key): string | undefined;
  /** Births that hold a text: of an actor and of its children, at any depth. What it costs is theirs alone. */
  birthsBelow(key: Key, text: string): string[];
  /** Births of all actors of a kind, by key. */
  birthsOf(kind: Kind): { session: Key; birth: string }[];
  /** The open permissions of a session. */
  openPermissions(session: Key): Key[];
}

/** The last row of a log; 0 and 0 where there is none. */
export type Head = { seq: number; at: number };
/** How much of a log is read at once: so many rows, and none after so many characters. */
export type PageSize = { rows: number; chars: number };
/** `isLast`: the log has no more. */
export type Page = { rows: Exchange[]; isLast: boolean };

/** Rows are only ever added, until their session is dropped. */
export interface LogTable {
  head(session: Key): Head;
  /** Rows after one, oldest first. */
  rows(session: Key, after: number, limit: number): Exchange[];
  /** As many of them as fit a page, one at least. */
  page(session: Key, after: number, size: PageSize): Page;
  /**
   * `json` is the row without what the log adds. A title, and the time of a turn, go to its session too; the beginning
   * and the end of a run to the table of runs.
   */
  append(session: Key, row: Exchange, json: string): void;
  /** Rows before one, newest first; of some types only, or of all. */
  before(session: Key, before: number, limit: number, types: readonly Row["type"][] | null): Exchange[];
  readonly outline: OutlineRead;
  firstOf(session: Key, run: string): Head | undefined;
  isAnswered(session: Key, input: string): boolean;
}

/** `open`: it has no end. `parked`: nor has its session an owner, and its machine is parked. Else how it ended. */
export type RunPhase = "open" | "parked" | Status;
/** `begun`: its first row; null where it ended without one. `ended`: the seq of its last row. */
export type RunRow = {
  run: string;
  session: Key;
  workflow: string;
  parentRun: string | null;
  begun: Head | null;
  phase: RunPhase;
  ended: number | null;
};
/** `principal`: whose; null: any principal's. `until`: none that began later. */
export type RunListing = {
  principal: string | null;
  workflow: string | null;
  phases: readonly RunPhase[];
  until: number;
};
/** What the log says of runs, to be found without reading it. */
export interface RunTable {
  find(run: string): RunRow | undefined;
  /** The ids that begin so, in order. `principal` as in a listing. */
  beginning(prefix: string, principal: string | null, limit: number): string[];
  /** Those that no other run called, newest first, then by id downwards; read as they are asked for. */
  latest(listing: RunListing): Iterable<RunRow>;
  /**
   * Whether all runs of the logs are here. Those that an earlier version left are missing from lists until they are
   * gathered; `find` knows them before.
   */
  readonly isWhole: boolean;
  /** Within a transaction: takes in so many more of them. */
  gather(limit: number): void;
}

/** `due`: milliseconds since the epoch. */
export type StoredTimer = { key: Key; id: string; due: number; event: string };
export interface TimerTable {
  /** Takes the place of one of the same key and id. */
  set(session: Key, timer: StoredTimer): void;
  drop(session: Key, key: Key, id: string): void;
  dropAll(session: Key, key: Key): void;
  /** Those of one session, or of all sessions of an owner. */
  of(whose: { session: Key } | { owner: string }): StoredTimer[];
}

export type StoredWork = { key: Key; id: string; nonce: number };
export interface WorkTable {
  start(session: Key, work: StoredWork): void;
  end(session: Key, key: Key, id: string): void;
  of(session: Key): StoredWork[];
}

export type StoredMail = { key: Key; event: string; nonce: number | null };
/** Mail whose tick was cut, and the ids of what was sent once only. */
export interface MailTable {
  /** Answers the row's number. */
  keep(session: Key, mail: StoredMail): number;
  drop(row: number): void;
  /** In the order in which it was kept. */
  of(session: Key): (StoredMail & { row: number })[];
  /** Whether a mail of this id was accepted by a key before; undefined where it never came. */
  seen(key: Key, id: string): boolean | undefined;
  see(key: Key, id: string, accepted: boolean): void;
  forget(key: Key): void;
}

export interface TrustTable {
  hasOneOf(folders: readonly string[]): boolean;
  list(): { cwd: string; at: number }[];
  keep(folder: string, at: number): void;
  drop(folder: string): void;
}

/** What goes with a session, and is written between ticks: kept when it returns. Throws what `isBusy` knows. */
export interface AttachmentTable {
  keep(session: Key, pieces: readonly Attachment[], limit: number): boolean;
  read(session: Key, id: string): Attachment | undefined;
  forget(session: Key): void;
}
export interface ConversationTable {
  read(session: Key, conversation: string): string[];
  add(session: Key, conversation: string, messages: readonly string[]): void;
  forget(session: Key): void;
}

/** What a storage reports of what it keeps. */
export interface StorageReads {
  readonly sessions: SessionTable;
  readonly actors: ActorTable;
  readonly log: LogTable;
  readonly runs: RunTable;
  readonly trust: TrustTable;
  readonly consents: ConsentTable;
  readonly schedules: ScheduleTable;
  readonly attachments: AttachmentTable;
  readonly conversations: ConversationTable;
  /** Written when the storage was made. */
  setting(name: "cursor key"): string;
}

export interface Storage extends StorageReads {
  readonly timers: TimerTable;
  readonly works: WorkTable;
  readonly mail: MailTable;
  readonly letters: LetterTable;
  readonly rest: RestTable;
  /** State of machines is hidden in what is written, and revealed in what is read: by who uses the storage. */
  readonly mask: Mask;
  /** Throws SYSTEM.STORE.MOVED where what is written would be lost, since the store was taken away from its place. */
  stand(): void;
  /** Joins the transaction, beginning it when this is the first touch. Throws as `stand`, and what `isBusy` knows while another process writes. */
  begin(): void;
  /** Throws SYSTEM.STORE.NEWER where nobody has asked for foreign changes in the transaction: nothing is written then. */
  commit(): void;
  rollback(): void;
  readonly begun: boolean;
  /** Whether another process has what was asked for: it is tried again later. */
  isBusy(error: unknown): boolean;
  /** A number that changes with each commit of another process. */
  foreignCommits(): number;
  /** Whether another process has committed since this was last asked. Throws SYSTEM.STORE.NEWER in a transaction on what one of a newer version has brought to its form. */
  foreignChange(): boolean;
  /** The same, but once in what runs before the event loop goes on: until then no other process's commit can have been heard of. */
  foreignNews(): boolean;
  /** Calls `heard` when a process has committed, until the answer is called. */
  listen(heard: () => void): () => void;
  close(): void;
}
