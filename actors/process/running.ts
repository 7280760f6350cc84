/** A child process in the hands of who wanted it. */
import type { Writable } from "node:stream";
import type { StartFault } from "./start-fault.ts";

export type End =
  | { type: "exited"; code: number }
  | { type: "signalled"; signal: string }
  | ({ type: "not started" } & StartFault)
  | { type: "output limit" };

export type TerminateOptions = { first?: "SIGTERM" | "SIGINT"; graceMs?: number };

export type Running = {
  /** Null until the child has been started, and if it could not be. */
  readonly pid: number | null;
  readonly stdin: Writable | null;
  readonly ended: Promise<End>;
  /** Ends the child and all it started, see `terminate.ts`; a second call waits for the first. */
  terminate: (how?: TerminateOptions) => Promise<void>;
};
