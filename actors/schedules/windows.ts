/**
 * Whose doing a changed file is. A run that a schedule has started may have changed whatever changed in its directory
 * while it worked, and for `SETTLE_MS` after that: such a change starts nothing, also nothing of another schedule there,
 * or in a directory above or below.
 * Otherwise two of them could start each other for ever.
 */
import type { Schedule } from "../../machines/schedule/schedule.ts";
import type { RunReads } from "../host/reads.ts";

export const SETTLE_MS = 2_000;
type Found = Pick<RunReads, "find">;

/** The run that worked in a directory at a moment; null where none did. */
export function workingAt(
  schedules: readonly Schedule[],
  { cwd, at }: { cwd: string; at: number },
  runs: Found,
): string | null {
  for (const schedule of schedules) {
    if (!isAround(schedule.cwd, cwd) && !isAround(cwd, schedule.cwd)) continue;
    for (const deed of schedule.deeds)
      if (deed.type === "started" && deed.at <= at && at <= endOf(deed, runs) + SETTLE_MS) return deed.run;
  }
  return null;
}

/** Whether a folder is another one, or above it. */
const isAround = (folder: string, other: string): boolean =>
  other === folder || other.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** When it had done its work, as far as is known. */
function endOf({ run, at, begun }: { run: string; at: number; begun?: true }, runs: Found): number {
  const found = runs.find(run, null);
  if (found === undefined) return begun === true ? at : Number.POSITIVE_INFINITY;
  if (found.end !== null) return found.end.at;
  if (found.stands === "running") return Number.POSITIVE_INFINITY;
  return found.of?.updated ?? at; // it waits, or was cut off
}
