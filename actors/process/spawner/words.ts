/** What Troupe and its spawner say to each other over their channel. */

/**
 * What the spawner writes first into each connection for a child, so that we know whose it is; null: none is wanted.
 * Troupe answers with one byte where the connection was not opened ahead.
 */
export type Keys = readonly [stdin: string | null, stdout: string, stderr: string];

export type ToSpawner = {
  id: number;
  argv: readonly [string, ...string[]];
  cwd: string;
  env: { readonly [name: string]: string };
  keys: Keys;
  /** Of connections to open when the child is on its way, for children to come. */
  ahead: readonly string[];
};

export type FromSpawner =
  | { type: "ready" }
  | { type: "started"; id: number; pid: number }
  /** One of `ahead` was closed before a child had it. */
  | { type: "closed"; key: string }
  | { type: "fault"; id: number; code: string; message: string }
  | { type: "exit"; id: number; code: number | null; signal: string | null };
