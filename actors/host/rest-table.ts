/** What rests in a store, and what taking it out is asked by (`collecting.ts`). */
import type { Key } from "../../machines/model.ts";

/**
 * `updated`: when its last turn began or ended, to a second. `runs`: those that a list shows. `last`: rises with each run
 * that began, whatever the clock said; that of its last one, 0 without.
 */
export type RestingSession = { session: Key; updated: number; runs: number; last: number };
/** In bytes. `shrinks`: whether free room can be given back piece by piece. */
export type StoreSize = { used: number; free: number; shrinks: boolean };

export interface RestTable {
  /** Sessions without an open or parked run, oldest first; whoever holds them. */
  resting(): RestingSession[];
  hasOpenRun(session: Key): boolean;
  /** All runs that a list shows. */
  listedRuns(): number;
  /** Sessions that are no more, of which something is kept beside the log. */
  orphans(): Key[];
  size(): StoreSize;
  /** Gives back so many pages of free room at most. */
  shrink(pages: number): void;
  /** Brings what others do not read any more out of the log of commits into the file, and gives its room back to the disk. */
  bringIn(): void;
}

export interface Collecting extends Pick<RestTable, "resting" | "listedRuns" | "size"> {
  /** Takes out those of these that rest, in their order; answers how many, and stops when `enough` says so after a commit. */
  collect(sessions: readonly Key[], enough?: () => boolean): Promise<number>;
  /** Gives free room back to the disk, where the file can. */
  shrink(): Promise<void>;
  /** As of the table, while others work. */
  bringIn(): Promise<void>;
}
