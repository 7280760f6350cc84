/**
 * What goes between the processes of a cluster by way of the engine: calls of a session's object and of the service that
 * works, and what they answer. All of it is JSON.
 *
 * I1. Events, births, inputs and rows are text in which secrets are hidden; no field holds a value of one.
 */
import type { Key } from "../../../machines/model.ts";
import type { Delivery } from "../host.ts";
import type { LogRow } from "../memory/tables.ts";
import type { Start, Which } from "../workers.ts";

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
export type WorkStart = Omit<Start, "input"> & { input: string; n: number };

/** What comes from outside. */
export type Post =
  | { is: "mail"; key: Key; event: string; dedupe?: string }
  | { is: "birth"; input: string }
  | { is: "work"; which: Which; rows: WorkRow[]; event: string | null; wasCutOff?: boolean }
  | { is: "due"; key: Key; id: string; due: number };
/** A row that work has recorded or said, and when. */
export type WorkRow = { row: string; at: number };
/** `commit`: what it was written with; null where it changed nothing. */
export type Posted = { delivery: Delivery | null; fault: string | null; commit: Commit | null };
type Reply = Omit<Posted, "commit">;
export type TimerSet = { key: Key; id: string; due: number; delayMs: number };
/** What a post comes to: written once, by whichever worker takes it. */
export type Outcome = Commit & {
  version: Version;
  reply: Reply;
  starts: WorkStart[];
  timers: TimerSet[];
};

export type SinceAsked = { after: number; waits: boolean };
/** `whole`: too much has happened since; null: there is no such session. */
export type News = { n: number; commits: Commit[] } | { n: number; whole: true } | null;
export type Whole = { n: number; rows: NamedRow[]; log: LogRow[] } | null;
export type Talk = { conversation: string; messages: string[] };

/** The services of one Troupe on an engine. */
export const servicesOf = (name: string) => ({
  session: `${name}_session`,
  work: `${name}_work`,
  talk: `${name}_talk`,
});
export type Services = ReturnType<typeof servicesOf>;

/** So many commits are kept one by one, for those who follow. */
export const KEPT_COMMITS = 64;
