/**
 * Ends what a Troupe process that died left running.
 *
 * I1. A process is ended only if its marker names an owner that is surely not alive.
 * I2. Our own process and those that it runs under are never ended, whatever marker they carry.
 * I3. A process that counts pids in another way (a container's) is left alone: its owner may well be alive there.
 * I4. Where we may open no more files nothing is seen: what is left is the next sweep's.
 */
import { systemClock, type Timers } from "../base/clock.ts";
import { decodeIdentity, encodeIdentity, type Identity, isAlive, mayLive } from "./identity.ts";
import { sharesPidNamespace } from "./linux.ts";
import type { ProcessRow, ScanProcesses } from "./process-row.ts";
import { send, unlessNoFiles } from "./process-tree.ts";
import { scanProcesses } from "./table.ts";

/** How long, in milliseconds, an abandoned process may take to end on SIGTERM. */
export const SWEEP_GRACE_MS = 1000;
const KILL_BOUND_MS = 1000;
const PAUSE_MS = 20;

/** Who knows which owners live; without one the system is asked. */
export type Owners = { ownersAlive: (identity: Identity) => boolean };

/** The parts that tests exchange. */
export type SweepParts = { clock?: Timers; scan?: ScanProcesses; sharesPids?: (pid: number) => boolean };

/**
 * Ends all processes of owners that are not alive: SIGTERM, a short grace, SIGKILL.
 * @returns how many have ended.
 */
export async function sweep(
  store: Owners = { ownersAlive: mayLive },
  { clock = systemClock, scan = scanProcesses, sharesPids = samePidNamespace }: SweepParts = {},
): Promise<number> {
  const found = new Map<string, ProcessRow>();
  const look = (signal: "SIGTERM" | "SIGKILL" | null): number => {
    const rows = abandoned(scan, store, sharesPids);
    for (const row of rows) {
      const fresh = !found.has(encodeIdentity(row));
      found.set(encodeIdentity(row), row);
      const name = signal ?? (fresh ? "SIGTERM" : null);
      if (name !== null && isAlive(row)) send(row.pid, name);
    }
    return rows.length;
  };
  const rounds = async (signal: "SIGKILL" | null, ms: number): Promise<boolean> => {
    const end = clock.elapsed() + ms;
    while (look(signal) > 0) {
      if (clock.elapsed() >= end) return false;
      await new Promise<void>((resolve) => clock.after(PAUSE_MS, resolve));
    }
    return true;
  };
  if (!(await rounds(null, SWEEP_GRACE_MS))) await rounds("SIGKILL", KILL_BOUND_MS);
  return [...found.values()].filter((row) => !isAlive(row)).length;
}

function abandoned(scan: ScanProcesses, store: Owners, sharesPids: (pid: number) => boolean): ProcessRow[] {
  const alive = new Map<string, boolean>();
  const rows = unlessNoFiles(() => scan("marked")) ?? []; // I4
  const found = rows.filter((row) => {
    const owner = row.owner === null ? null : decodeIdentity(row.owner);
    if (row.owner === null || owner === null) return false;
    const lives = alive.get(row.owner) ?? store.ownersAlive(owner);
    alive.set(row.owner, lives);
    return !lives && sharesPids(row.pid);
  });
  if (found.length === 0) return [];
  const spared = ancestry(rows, scan);
  return found.filter((row) => !spared.has(row.pid));
}

function samePidNamespace(pid: number): boolean {
  return process.platform !== "linux" || sharesPidNamespace(pid);
}

/** Our own process and those it runs under, of which `rows` need not hold all. */
function ancestry(rows: readonly ProcessRow[], scan: ScanProcesses): Set<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.ppid]));
  const parentOf = (pid: number) => parents.get(pid) ?? scan([pid]).find((row) => row.pid === pid)?.ppid;
  const line = new Set<number>();
  for (let pid: number | undefined = process.pid; pid !== undefined && !line.has(pid); pid = parentOf(pid)) {
    line.add(pid);
  }
  return line;
}
