/**
 * The seam under the host: tables of rows, whoever keeps them. The host decides; a storage keeps, finds and takes back.
 *
 * I1. State of machines, births and rows come as JSON in which secrets are hidden, and go as they came.
 */
import type { Exchange, Row } from "../../machines/exchange.ts";
import type { Key, Kind } from "../../machines/model.ts";
import type { PageQuery } from "./reads.ts";

/** `owner`: null while nothing of it runs. `epoch`: rises with each taking. */
export type SessionRow = {
  session: Key;
  cwd: string;
  principal: string;
  title: string | null;
  updated: number;
  owner: string | null;
};
/** `snap`: null where its machine is gone. */
export type ListedRow = SessionRow & { snap: string | null };

export interface SessionTable {
  find(session: Key): SessionRow | undefined;
  /** As `SessionReads.page`. */
  page(query: PageQuery): ListedRow[];
  /** As `SessionReads.titlesBeside`. */
  titlesBeside(session: Key, limit: number): (string | null)[];
}

export interface ActorTable {
  snap(key: Key): string | undefined;
  sessionOf(key: Key): Key | undefined;
  /** What the parent of a key was born with. */
  birthAbove(key: Key): string | undefined;
  /** Births of a session that hold a text. */
  birthsWith(session: Key, text: string): string[];
  /** Births of all actors of a kind, by key. */
  birthsOf(kind: Kind): { session: Key; birth: string }[];
  /** The questions of yes or no kind of a session that are asked of somebody. */
  openPermissions(session: Key): Key[];
}

export type RunBoundary = "run.started" | "run.completed";
export type LoggedRow = { session: Key; exchange: Exchange };

export interface LogTable {
  /** Rows before one, newest first; of some types only, or of all. */
  before(session: Key, before: number, limit: number, types: readonly Row["type"][] | null): Exchange[];
  /** The row with which a run began, or ended. */
  boundary(run: string, type: RunBoundary): LoggedRow | undefined;
  /** The rows with which runs began, of all sessions, newest first; none after `until`. */
  begun(until: number, limit: number, offset: number): LoggedRow[];
  /** The first row of a run in a session's log. */
  firstOf(session: Key, run: string): Pick<Exchange, "seq" | "at"> | undefined;
  isAnswered(session: Key, input: string): boolean;
}

export interface TrustTable {
  has(folder: string): boolean;
  list(): { cwd: string; at: number }[];
  keep(folder: string, at: number): void;
  drop(folder: string): void;
}

/** What a storage tells of what it keeps. */
export interface StorageReads {
  readonly sessions: SessionTable;
  readonly actors: ActorTable;
  readonly log: LogTable;
  readonly trust: TrustTable;
  /** Written when the storage was made. */
  setting(name: "cursor key"): string;
}
