/**
 * The processes that one attempt has started, found again at every look.
 *
 * I1. A process belongs to the family if it carries the marker, is in the child's group, descends from a member, or
 *     belongs to a Troupe process that is a member. Once found it stays a member, whatever its parent is later.
 * I2. A signal goes to a process only while its pid and start are those that were seen (a pid may be used again).
 * I3. The group is signalled as a whole only while the child itself keeps the group's number from being used again.
 * I4. Our own process is never a member.
 * I5. What another Troupe process started is no member for its scope alone: that one may have chosen the same.
 * I6. A look for which we may open no more files has found nothing and says nothing: it is unclear, and throws nothing.
 */
import { codeOfErrno } from "../errors/system.ts";
import { encodeIdentity, isAlive } from "./identity.ts";
import { MARKER_VARIABLE, SCOPE_VARIABLE } from "./marker-names.ts";
import type { ProcessRow } from "./process-row.ts";

export type FamilySignal = "SIGTERM" | "SIGINT" | "SIGKILL";

/** The members that run, and the pids of whom it is not known yet since they are inside exec. */
export type Look = { members: ProcessRow[]; unclear: number[] };

export type ProcessTree = {
  readonly childPid: number;
  /** True once the child has ended and was collected. */
  childGone: boolean;
  /** Looks at the given pids, or at all for null. */
  look: (pids: readonly number[] | null) => Look;
  /** Signals the child's group and these members; the ones in the group get the signal once. */
  signal: (members: readonly ProcessRow[], signal: FamilySignal) => void;
};

/** The family of a child that was started with this marker. */
export function familyOf(
  childPid: number,
  marker: { readonly [name: string]: string },
  scan: (pids: readonly number[] | null) => ProcessRow[],
): ProcessTree {
  const scope = marker[SCOPE_VARIABLE] ?? null;
  const owner = marker[MARKER_VARIABLE] ?? null;
  const starts = new Map<number, string>();
  const troupes = new Set<string>();

  function look(pids: readonly number[] | null): Look {
    const found = unlessNoFiles(() => scan(pids));
    if (found === null) return { members: [], unclear: [childPid] }; // I6
    const rows = found.filter((row) => row.pid !== process.pid);
    const ours = family.childGone ? !rows.some((row) => row.pid === childPid) : true;
    const members = new Map<number, ProcessRow>();
    for (let size = -1; size !== members.size; ) {
      size = members.size;
      for (const row of rows) {
        if (!members.has(row.pid) && belongs(row, members, ours)) {
          members.set(row.pid, row);
          starts.set(row.pid, row.startedAt);
          troupes.add(encodeIdentity(row));
        }
      }
    }
    const unclear = rows.filter((row) => row.blank && !members.has(row.pid)).map((row) => row.pid);
    return { members: [...members.values()], unclear };
  }

  // `ours`: the child's pid, and so the number of its group, cannot have been given to another process.
  function belongs(row: ProcessRow, members: ReadonlyMap<number, ProcessRow>, ours: boolean): boolean {
    if (scope !== null && row.scope === scope && (owner === null || row.owner === owner)) return true;
    if (ours && row.pgid === childPid) return true;
    if (starts.get(row.pid) === row.startedAt) return true;
    return members.has(row.ppid) || (row.owner !== null && troupes.has(row.owner));
  }

  function signal(members: readonly ProcessRow[], name: FamilySignal): void {
    const group = !family.childGone;
    if (group) send(-childPid, name);
    for (const member of members) {
      if (group && member.pgid === childPid) continue;
      if (isAlive(member)) send(member.pid, name);
    }
  }

  const family: ProcessTree = { childPid, childGone: false, look, signal };
  return family;
}

/** Null where we, or the system, may open no more files. */
export function unlessNoFiles<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (codeOfErrno(code) === "SYSTEM.IO.TOO_MANY_FILES") return null;
    throw error;
  }
}

/** Sends a signal to a process that may have gone in the meantime. */
export function send(pid: number, name: FamilySignal): void {
  try {
    process.kill(pid, name);
  } catch {
    // ESRCH: it has gone. EPERM: it became another user's, and no signal of ours reaches it.
  }
}
