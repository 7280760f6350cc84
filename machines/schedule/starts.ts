/** What starts a workflow by itself, as its file says it under `on`. */
import type { Json } from "../model.ts";

/** A time of cron. Without a zone it is of the machine on which the user enables it. */
export type CronTime = { cron: string; zone?: string };
/** Globs of files within the repository. `input`: the one that is given their paths, one a line. */
export type FileTrigger = { paths: string[]; ignore: string[]; input?: string };
/**
 * When `serve --schedules` starts the workflow by itself. `missed`: what becomes of times at which nobody served.
 * `overlap`: what becomes of one while an earlier run goes on.
 */
export type Starts = {
  times: CronTime[];
  files: FileTrigger | null;
  missed: "tell" | "run";
  overlap: "skip" | "allow";
  inputs: { [name: string]: Json };
};
