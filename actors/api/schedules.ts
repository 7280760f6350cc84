/** The schedules of a user: workflows that start by themselves while somebody serves. */
import type { Deed, Off } from "../../machines/schedule/schedule.ts";
import type { Starts } from "../../machines/schedule/starts.ts";
import type { RunRecord } from "./records.ts";

export type { Cause, Deed, Off } from "../../machines/schedule/schedule.ts";
export type { Starts } from "../../machines/schedule/starts.ts";

/**
 * `enabled`; `off`, it was and is not any more, `off` says why; `not enabled`, its file has `on:` and the user has never
 * enabled it.
 */
export type ScheduleRecord = {
  cwd: string;
  /** Of the directory that was asked for. */
  isHere: boolean;
  workflow: string;
  /** The file without links; null where it cannot be read. */
  file: string | null;
  on: Starts;
  state: "enabled" | "off" | "not enabled";
  off: Off | null;
  enabledAt: number | null;
  /** Its next time, while it is enabled; null where it has none. Milliseconds since the epoch. */
  next: number | null;
  /** The run that it started last, as far as that is still known. */
  last: RunRecord | null;
  /** What it has come to, latest first. */
  deeds: Deed[];
  /** What it reads: a change of one of these files turns it off. */
  files: string[];
};

/** What is told while schedules are served. */
export type ScheduleNews =
  | { type: "deed"; cwd: string; workflow: string; deed: Deed }
  | { type: "off"; cwd: string; workflow: string; off: Off }
  | { type: "ended"; cwd: string; workflow: string; run: string; status: string }
  | { type: "fault"; cwd: string; message: string };

/** What starts by itself: listed, enabled, disabled and served. */
export interface Schedules {
  /** Those of the user, and workflows of `cwd` that could be. By directory, then by workflow. */
  list(cwd?: string): Promise<ScheduleRecord[]>;
  /** Whether a process serves schedules now. */
  isServed(): boolean;
  /**
   * Lets a workflow start by itself, as its file says now. Throws USER.SCHEDULE.NONE where that has no `on`,
   * USER.TRUST.REQUIRED where the directory is not trusted, and what keeps the workflow from being run.
   */
  enable(cwd: string, workflow: string): Promise<ScheduleRecord>;
  /** The directory may be gone. Throws USER.SCHEDULE.NOT_FOUND. */
  disable(cwd: string, workflow: string): Promise<ScheduleRecord>;
  /** Starts what is due, until the answer is called. Resolves when what was missed is told. */
  serve(tell: (news: ScheduleNews) => void): Promise<() => Promise<void>>;
}
