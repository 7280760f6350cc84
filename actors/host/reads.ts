/**
 * What a host reports of what it keeps: reads by what they mean, and the few writes that are no
 * events (trust, attachments, conversations). Whatever they answer is
 * committed, and secrets in it are hidden, unless it says otherwise. Times are milliseconds since the epoch.
 */
import type { Exchange, Row, RowOf } from "../../machines/exchange.ts";
import type { ActorSeen } from "../../machines/inspection.ts";
import type { Key, Status } from "../../machines/model.ts";
import type { AttachmentKind } from "../../machines/prompt/attachment.ts";
import type { RunReading } from "../../machines/run/reading.ts";
import type { SessionReading } from "../../machines/session/reading.ts";
import type { Node } from "../../machines/workflow/document.ts";
import type { Within } from "./within.ts";

export type { Changing, KeptSchedules, SchedulePlace } from "./schedule-table.ts";

/** `title`: null before the first prompt. `updated`: when its last turn began or ended, to a second. */
export type SessionAbout = {
  session: Key;
  cwd: string;
  principal: string;
  title: string | null;
  updated: number;
  /** A process that lives runs it, this one or another. */
  isOwned: boolean;
};
/** Where a page of sessions begins: behind the session that was updated then. */
export type PagePosition = { updated: number; id: string };
export type PageQuery = { principal: string; cwd: string | null; after: PagePosition; limit: number };
/** `reading`: null where its machine is gone. */
export type ListedSession = SessionAbout & { reading: ListedReading | null };
export type ListedReading = Pick<SessionReading, "value" | "workflow" | "forkedFrom" | "remembered">;

export interface SessionReads {
  /** Undefined where there is no such session. */
  find(session: Key): SessionAbout | undefined;
  /** Whether there is such a session; cheaper than `find`. */
  has(session: Key): boolean;
  /** What its machine holds, secrets as this process knows them. Undefined where there is no such session. */
  read(session: Key): SessionReading | undefined;
  /** Sessions that were prompted, last used first. The cost does not grow with the number of sessions. */
  page(query: PageQuery): Promise<ListedSession[]>;
  /** Titles of the sessions of the same user and directory, last used first; null where one has none. */
  titlesBeside(session: Key, limit: number): Promise<(string | null)[]>;
  /** Whether this process runs it. */
  isOwn(session: Key): boolean;
  /** The session that a key belongs to; undefined where there is no such key. */
  sessionOf(key: Key): Key | undefined;
  /** The names of the secrets that stand in what machines of a session were born with. */
  secretNames(session: Key): string[];
  /** Machines as they are kept, and all below them; what is not there any more is left out. */
  machines(keys: readonly Key[]): ActorSeen[];
  /** Seals the cursors of lists: the same for all processes of one store. */
  cursorKey(): Promise<string>;
}

/** How a run ended. */
export type RunEnd = RowOf<"run.completed">["payload"] & { seq: number; at: number };
/** How it ended, or how it is where it has not: `running` by a living process, `parked`, or `interrupted`. */
export type RunStands = Status | "running" | "parked" | "interrupted";
export type RunsSession = Pick<SessionAbout, "session" | "cwd" | "principal" | "updated" | "isOwned">;
/** `seq` and `at` are of its first row. A run of another run has a `parentRun`. */
export type RunAbout = {
  run: string;
  session: Key;
  workflow: string;
  parentRun: string | null;
  seq: number;
  at: number;
  /** False for one that was asked for: it waits for consent, or did not get it. */
  begun: boolean;
  end: RunEnd | null;
  /** Null where its session was deleted under it. */
  of: RunsSession | null;
  stands: RunStands;
  /** It was told to end, and the process that ended it has died: it does not go on. Left out where that is not so. */
  cancelling?: true;
};

/** No run begins later: the last moment that a date can say. */
export const END_OF_TIME = 8_640_000_000_000_000;
/** `principal`: whose; null: any principal's. `workflow`, `stands`: only those; null: all. `until`: none that began later. `within`: of sessions of this folder; null: of any. */
export type RunQuery = {
  principal: string | null;
  until: number;
  workflow: string | null;
  stands: readonly RunStands[] | null;
  within: Within | null;
};

export interface RunReads {
  /** Undefined where there is none, or where it is of a session of another principal. Null: any principal's. */
  find(run: string, principal: string | null): RunAbout | undefined;
  /** What one that has ended has left, secrets as this process knows them; undefined where nothing is kept of it. */
  ended(run: string): RunReading | undefined;
  /** The directories whose trust for good let a run begin. */
  standsOn(run: string): readonly string[];
  /** The secrets that the inputs of a run need and that this process does not know, by the inputs' names. */
  secrets(run: string): { [input: string]: string[] };
  /** The ids of those that have begun and whose id begins so, at most so many; of a session of the principal, null: any principal's. */
  beginning(prefix: string, principal: string | null, most: number): Promise<string[]>;
  /**
   * Those that no other run called: the ones that wait to begin first, then newest first. Read as they are asked for;
   * the cost does not grow with the number of runs that are not asked for.
   */
  latest(query: RunQuery): AsyncIterable<RunAbout>;
  /**
   * Resolves when `beginning` and `latest` know all runs, also those that an earlier version of Troupe left: they are
   * gathered in pieces, and the event loop runs between two.
   */
  gathered(): Promise<void>;
}

/** A part of a session's log, seen from afar: rows behind `after` up to `until`. */
type LogSpan = { session: Key; after: number; until: number };
/** `times`: of each row, oldest first; `rows`: those that are of no type that was to be left out. */
type LogOutline = { times: number[]; rows: Exchange[] };
export type OutlineRead = (span: LogSpan, without: readonly Row["type"][]) => LogOutline;

export interface QuestionReads {
  /** What a parked run waits for, by the ids of inputs, oldest first. */
  inputs(session: Key): string[];
  /** Permissions that are open, by their ids; in no order. */
  permissions(session: Key): string[];
  /** Whether an input was answered, ever. */
  isAnswered(session: Key, input: string): boolean;
  /** The step that an input is of. */
  stepOf(input: string): Node | null;
}

/** Directories by canonical path. `at`: when they were trusted. */
export interface TrustedFolders {
  hasOneOf(folders: readonly string[]): boolean;
  /** Trusted last first. */
  list(): { cwd: string; at: number }[];
  /** Durable when it resolves. */
  keep(folder: string, at: number): Promise<void>;
  /** Durable when it resolves. */
  drop(folder: string): Promise<void>;
}

/** What a person agreed to for good: one agent, in one folder, on one machine, as it was shown. `shown`: JSON. */
export type Consent = { machine: string; agent: string; folder: string; digest: string; shown: string; at: number };
export type ConsentPlace = Pick<Consent, "machine" | "agent" | "folder">;
export interface KeptConsents {
  find(place: ConsentPlace): Consent | undefined;
  /** Given last first, of all machines. */
  list(): Consent[];
  /** In the place of what was agreed to there before. Durable when it resolves. */
  keep(consent: Consent): Promise<void>;
  /** Durable when it resolves. */
  drop(place: ConsentPlace): Promise<void>;
}

/** What a storage does for that, at once. */
export type ConsentTable = Pick<KeptConsents, "find" | "list"> & {
  keep(consent: Consent): void;
  drop(place: ConsentPlace): void;
};

/** The bytes of a picture or a sound of a prompt. */
export type Attachment = { type: AttachmentKind; id: string; mimeType: string; data: Buffer };
/** Each belongs to a session, and goes with it. */
export interface KeptAttachments {
  /** All, or none: false where the session would keep more than `limit` bytes. Durable when it resolves. */
  keep(session: Key, pieces: readonly Attachment[], limit: number): Promise<boolean>;
  /** Undefined where the session has no such piece. */
  read(session: Key, id: string): Attachment | undefined;
}

/** Messages are JSON in which secrets are hidden. A conversation belongs to a session, and goes with it. */
export interface KeptConversations {
  /** In the order in which they were added. */
  read(session: Key, conversation: string): Promise<string[]>;
  /** Durable when it resolves. */
  add(session: Key, conversation: string, messages: readonly string[]): Promise<void>;
}
