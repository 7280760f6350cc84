/** What a worker is to the engine's services: its cells, its work, and what it knows. */
import type * as Restate from "@restatedev/restate-sdk";
import type { Key } from "../../../machines/model.ts";
import type { LiveOut } from "./live-out.ts";
import type { NamedRow, Services, Version, WorkRow, WorkStart } from "./protocol.ts";
import type { SessionCell } from "./session-cell.ts";

/** What `require` answers for the SDK. */
export type Sdk = typeof Restate;
/** Its last rows and its result, hidden; `waits`: why it cannot be done here now; null: nobody waits for it any more. */
export type Carried = Ended | { waits: string } | null;
export type Ended = { rows: WorkRow[]; event: string; wasCutOff?: true };
export type ServingHost = {
  /** Distinct for every process. */
  self: string;
  services: Services;
  cell(session: Key, version: Version | null, rows: readonly NamedRow[]): SessionCell;
  /** Null where this worker knows all machines of a session, or of work; else words. */
  unknown(what: readonly NamedRow[] | WorkStart): string | null;
  now(): number;
  /** A delay as the engine is told it. */
  delay(ms: number): { milliseconds: number };
  /** Asks the engine for its time: before it calls this process. */
  learnTime(): Promise<void>;
  /** This process, by its name, where it can begin work; else throws SYSTEM.ENGINE.NO_WORKER. */
  begins(start: WorkStart): Promise<string>;
  /** Carries out work, or joins it where it runs here. `ended` aborts when the engine has let this call go. */
  carry(start: WorkStart, ended: AbortSignal): Promise<Carried>;
  /** The engine has what it came to. */
  carried(start: WorkStart): void;
  /** What work comes to that another process had begun. */
  cutOff(start: WorkStart): Ended;
  /** What work here says, for those who follow it. */
  live: LiveOut;
  /** Ends the work here. Resolves when sessions have what it said. */
  end(): Promise<void>;
  /** A text for people, without secrets. */
  shown(text: string): string;
};
