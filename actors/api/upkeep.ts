/** How a user's store is kept small. */

/** What is kept. Without any limit nothing is removed. */
export type Retention = {
  /** Milliseconds since a session was last used. */
  maxAgeMs?: number;
  /** Runs that a list shows. */
  maxRuns?: number;
  /** Bytes that are in use in the store's file. */
  maxBytes?: number;
};
/**
 * `sessions`, `runs`: those that were removed, or would be. `kept`: runs that are left. `bytes`: in use, before and after.
 * `free`: room of the file that is given back to no disk, and used again by new runs.
 */
export type Collected = {
  sessions: number;
  runs: number;
  kept: number;
  bytes: { before: number; after: number };
  free: number;
};
