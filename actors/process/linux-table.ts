/**
 * The process table as `/proc` shows it.
 *
 * I1. A process that starts while the table is read is in it too. The list of pids is old as soon as it is there, and a
 *     process that moves to a new pid each millisecond would never be seen; Linux gives pids out in rising order, so
 *     those given out meanwhile follow from the last one.
 * I2. A process inside exec is marked `blank`: its environment shows a moment later.
 */
import { listPids, readBootId, readLastPid, readLinuxMarker, readLinuxStat } from "./linux.ts";
import type { ProcessRow, ScanProcesses } from "./process-row.ts";

const FEW = 64;
const ROUNDS = 16;

/** See `ScanProcesses`. */
export const readLinuxTable: ScanProcesses = (which) => {
  switch (which) {
    case null:
      return everyRow(readRows);
    case "marked":
      return everyRow(readMarked);
    default:
      return readRows(which);
  }
};

function everyRow(read: (pids: readonly number[]) => ProcessRow[]): ProcessRow[] {
  let last = readLastPid();
  const rows = new Map(read(listPids()).map((row) => [row.pid, row]));
  for (let round = 0; last !== null && round < ROUNDS; round++) {
    const now = readLastPid() ?? last;
    if (now === last) break;
    for (const row of read(pidsAfter(last, now, listPids))) rows.set(row.pid, row);
    last = now;
  }
  return [...rows.values()];
}

/** The pids that may have been given out after `first` up to `last`, going round at the highest. */
export function pidsAfter(first: number, last: number, list: () => number[]): number[] {
  if (last >= first && last - first <= FEW) return Array.from({ length: last - first }, (_, at) => first + 1 + at);
  return list().filter((pid) => (last >= first ? pid > first && pid <= last : pid > first || pid <= last));
}

// Few carry one, so it is looked for first. A row reads its marker anew, after its start: the pid may be another's by then.
function readMarked(pids: readonly number[]): ProcessRow[] {
  return readRows(pids.filter((pid) => (readLinuxMarker(pid)?.owner ?? null) !== null));
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
