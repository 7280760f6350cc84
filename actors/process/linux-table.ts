/**
 * The process table as `/proc` shows it.
 *
 * I1. A process that starts while the table is read is in it too. The list of pids is old as soon as it is there, and a
 *     process that moves to a new pid each millisecond would never be seen; Linux gives pids out in rising order, so
 *     those given out meanwhile follow from the last one.
 * I2. A process inside exec is marked `blank`: its environment shows a moment later.
 */
import { listPids, readBootId, readLastPid, readLinuxMarker, readLinuxStat } from "./linux.ts";
import type { ProcessRow } from "./process-row.ts";

const FEW = 64;
const ROUNDS = 16;

/** Rows of the given pids, or of all processes. */
export function readLinuxTable(pids: readonly number[] | null): ProcessRow[] {
  if (pids !== null) return readRows(pids);
  let last = readLastPid();
  const rows = new Map(readRows(listPids()).map((row) => [row.pid, row]));
  for (let round = 0; last !== null && round < ROUNDS; round++) {
    const now = readLastPid() ?? last;
    if (now === last) break;
    for (const row of readRows(pidsAfter(last, now, listPids))) rows.set(row.pid, row);
    last = now;
  }
  return [...rows.values()];
}

/** The pids that may have been given out after `first` up to `last`, going round at the highest. */
export function pidsAfter(first: number, last: number, list: () => number[]): number[] {
  if (last >= first && last - first <= FEW) return Array.from({ length: last - first }, (_, at) => first + 1 + at);
  return list().filter((pid) => (last >= first ? pid > first && pid <= last : pid > first || pid <= last));
}

function readRows(pids: readonly number[]): ProcessRow[] {
  return pids.flatMap((pid) => readRow(pid) ?? []);
}

function readRow(pid: number): ProcessRow | null {
  const stat = readLinuxStat(pid);
  if (stat === null) return null;
  let marker = readLinuxMarker(pid);
  let blank = false;
  if (marker === null) {
    // It may have begun or finished its exec since.
    blank = readLinuxStat(pid)?.inExec === true;
    marker = readLinuxMarker(pid) ?? { owner: null, scope: null };
  }
  const { ppid, pgid, startTicks } = stat;
  return { pid, ppid, pgid, startedAt: `${startTicks}.${readBootId()}`, ...marker, blank };
}
