/**
 * What goes between the processes of a cluster by way of the engine: calls of a session's object and of the service that
 * works, and what they answer. All of it is JSON.
 *
 * I1. Events, births, inputs and rows are text in which secrets are hidden; no field holds a value of one.
 */
import type { Key } from "../../../machines/model.ts";
import type { Delivery } from "../host.ts";
import type { LogRow } from "../memory/tables.ts";
import type { Attachment } from "../reads.ts";
import type { Start, Which } from "../workers.ts";
import type { Put } from "./sorted-list.ts";

/** The owner of every session of which something runs: no process of ours is. */
export const ENGINE = "engine";

/** A row of a session and its name; null where it is gone. */
export type NamedRow = readonly [name: string, row: string | null];
/** `n` counts a session's commits; `stamp` distinguishes two tries of one of them. The rest is the end of its log. */
export type Version = { n: number; stamp: string; seq: number; at: number };
/** What one commit has written. */
export type Commit = { n: number; rows: NamedRow[]; log: LogRow[] };

/** What a session's machine has said to a piece of its work, in order. */
export type WorkOrder = { do: "cancel" } | { do: "hear"; event: string };
/**
 * `v`: the version of the machine that has started it. `tag`: of the workers that alone may do it. `handedBack`: by how
 * many workers that could not.
 */
export type WorkStart = Omit<Start, "input"> & {
  input: string;
  n: number;
  v: string;
  tag?: string;
  handedBack?: number;
};

/** What comes from outside. */
export type Post =
  | { is: "mail"; key: Key; event: string; dedupe?: string }
  | { is: "birth"; input: string; tag?: string | undefined }
  | { is: "work"; which: Which; rows: WorkRow[]; event: string | null; wasCutOff?: boolean; live?: LiveOffer }
  | { is: "due"; key: Key; id: string; due: number }
  /** No worker takes a piece of work now, for the reason that `words` say. */
  | { is: "waits"; which: Which; words: string };
/** Where what a process says in a session can be followed word by word, and what opens that. */
export type LiveOffer = { by: string; url: string; token: string };
/** A row that work has recorded or said, and when. */
export type WorkRow = { row: string; at: number };
/** `fault`: why it could not be taken. `commit`: what it was written with; null where it changed nothing. */
export type Posted = { delivery: Delivery | null; fault: string | null; commit: Commit | null };
type Reply = Omit<Posted, "commit">;
export type TimerSet = { key: Key; id: string; due: number; delayMs: number };
/** What a post comes to: written once, by whichever worker takes it. */
export type Outcome = Commit & {
  version: Version;
  reply: Reply;
  starts: WorkStart[];
  timers: TimerSet[];
  notes: Note[];
};
/** What an event changes in a list of the index, and in which shard of it. */
export type Note = { shard: string; put: Put };
/** `cursorKey` seals the cursors of lists. */
export type Shards = { shards: string[]; cursorKey: string };

/** `seconds`: how long it waits for news; `by`: who does, so that it is kept once. Earlier versions name neither. */
export type SinceAsked = { after: number; waits: boolean; seconds?: number; by?: string };
/** How long news are waited for where nobody says. */
export const NEWS_SECONDS = 20;
/** `whole`: too much has happened since; null: there is no such session. */
export type News = { n: number; commits: Commit[] } | { n: number; whole: true } | null;
export type Whole = { n: number; rows: NamedRow[]; log: LogRow[] } | null;
/** A picture or a sound, in so many parts; `bytes`: how long it is. */
export type Piece = Omit<Attachment, "data"> & { parts: number; bytes: number };
export type PartOf = { id: string; n: number; text: string };
/** What was put in parts is kept from now on, where a session keeps no more than `limit` bytes then. */
export type Sealing = { pieces: Piece[]; limit: number };
export type Talk = { conversation: string; messages: string[] };

/** How a session stood where it came from. */
export type MovedFrom = { epoch: number; seq: number };
/** A part of a session that comes from elsewhere; `last`, with the last part, makes it one. */
export type Part = {
  n: number;
  rows: NamedRow[];
  log: LogRow[];
  last: { origin: MovedFrom; seq: number; at: number; timers: TimerSet[]; notes: Note[] } | null;
};

/** The services of one Troupe on an engine. */
export const servicesOf = (name: string) => ({
  session: `${name}_session`,
  work: `${name}_work`,
  talk: `${name}_talk`,
  piece: `${name}_piece`,
  index: `${name}_index`,
});
export type Services = ReturnType<typeof servicesOf>;
/** The service of workers with a tag. */
export const taggedWork = (work: string, tag: string): string => `${work}_${tag}`;

/** So many commits are kept one by one, for those who follow. */
export const KEPT_COMMITS = 64;
