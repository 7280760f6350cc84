/** What the page says beside a workflow that starts by itself, or could. */
import type { Off } from "../../machines/schedule/schedule.ts";
import type { Starts } from "../../machines/schedule/starts.ts";
import { offWords, startsWords } from "../shared/schedule-words.ts";
import { durationText } from "./spoken.ts";

export type Scheduled = {
  workflow: string;
  /** Of the directory that is shown. */
  isHere: boolean;
  on: Starts;
  off: Off | null;
  enabledAt: number | null;
  next: number | null;
};

/** `isServed`: a process starts what is due now. */
export function scheduledText(
  { workflow, on, off, enabledAt, next }: Scheduled,
  { now, isServed }: { now: number; isServed: boolean },
): string {
  if (enabledAt === null) return `can start by itself (${startsWords(on)}): troupe schedules enable ${workflow}`;
  if (off !== null) return offWords(off);
  const due = next === null ? "" : ` · next in ${durationText(next - now)}`;
  const served = isServed ? "" : " · nothing serves it now: troupe serve --schedules";
  return `starts by itself: ${startsWords(on)}${due}${served}`;
}
