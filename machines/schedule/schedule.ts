/**
 * A schedule: a workflow that its user lets start by itself, as it is kept. JSON, and complete: what starts it is what
 * stood in its file when it was enabled.
 */
import type { NamedFile } from "../contracts.ts";
import type { Fault } from "../model.ts";
import type { ZonedTime } from "./cron.ts";
import type { Starts } from "./starts.ts";

/** What starts a run. `due`: the time, in milliseconds since the epoch. `count`: of how many. */
export type Cause =
  | { type: "time"; due: number }
  | { type: "missed"; due: number; count: number }
  | { type: "files"; count: number; paths: string[] };

/**
 * What a schedule has come to. `started`: `by` names the process that begins the run; `begun`, that there was one.
 * `cut off`: that process died before it had. `missed`: of so many times or, where that is `MOST_COUNTED`, more; `served`,
 * by a process that served all the time.
 * `ignored`: files that changed while a run worked there, so that it may be the run's own doing. `clock set back`: to
 * before `from`; `quiet`, no time comes again until then.
 */
export type Deed =
  | { type: "started"; at: number; cause: Cause; run: string; by: string; begun?: true }
  | { type: "not begun"; at: number; cause: Cause; run: string; fault: Fault }
  | { type: "cut off"; at: number; cause: Cause; run: string }
  | { type: "skipped"; at: number; cause: Cause; because: "running" | "full"; run?: string; count: number }
  | { type: "missed"; at: number; first: number; count: number; served?: true }
  | { type: "ignored"; at: number; run: string; count: number; paths: string[] }
  | { type: "clock set back"; at: number; from: number; quiet?: true };

/** Why nothing is started any more, until the user enables it again. */
export type Off = {
  at: number;
  why: "disabled" | "changed" | "not trusted" | "not there";
  /** What has changed, by path. */
  files: string[];
};

export type Schedule = {
  cwd: string;
  /** Its id, as the directory lists it. */
  workflow: string;
  on: Starts & { times: ZonedTime[] };
  /** What it will read, its own file first, as it was when it was enabled. */
  files: NamedFile[];
  enabledAt: number;
  off: Off | null;
  /** The times up to this one are done with. */
  seen: number;
  /** The changes of files that were heard of up to here are done with. */
  heard: number;
  /** Latest first. */
  deeds: Deed[];
};

/** How many deeds are kept. */
export const MOST_DEEDS = 20;
/** How many times that were missed are counted. */
export const MOST_COUNTED = 100;
/** How many paths a deed names. */
export const MOST_PATHS = 20;
