/**
 * Whether a child that ended by itself has left anything behind, at the least cost.
 *
 * Whatever a child starts gets its pid after the child got its own, and Linux gives pids out in rising order, from the
 * highest back to the lowest. So only the pids between the child's and the last one given can be its offspring, and
 * after a child that started nothing there are none to look at: one small read instead of a scan of all processes.
 *
 * I1. The short way is taken only while the pids cannot have gone all the way round: for a child of a short life.
 * I2. A process that is inside exec shows no environment; it is looked at again.
 * I3. A process that starts during a look is looked at next.
 * I4. A pid that was given to another child of ours meanwhile is not looked at: it is not the offspring of what ended.
 */
import type { Timers } from "../base/clock.ts";
import { listPids, readLastPid } from "./linux.ts";
import { pidsAfter } from "./linux-table.ts";
import type { ProcessTree } from "./process-tree.ts";
import { SHORT_LIFE_MS, type StartedPids, startedPids } from "./started-pids.ts";

const LOOKS = 50;

/** True if processes of the family still run after its child has gone. */
export async function hasLeftovers(
  family: ProcessTree,
  livedMs: number,
  clock: Timers,
  lastPid: () => number | null = readLastPid,
  started: Pick<StartedPids, "has"> = startedPids,
): Promise<boolean> {
  const startedAt = clock.elapsed() - livedMs;
  const isOurs = (pid: number): boolean => started.has(pid, startedAt, clock.elapsed());
  const short = process.platform === "linux" && livedMs < SHORT_LIFE_MS;
  let from = family.childPid;
  let again: number[] = [];
  for (let look = 0; look < LOOKS; look++) {
    const last = short ? lastPid() : null;
    const pids = last === null ? null : [...again, ...pidsAfter(from, last, listPids).filter((pid) => !isOurs(pid))];
    if (pids?.length === 0) return false;
    const { members, unclear } = family.look(pids);
    if (members.length > 0) return true;
    if (pids === null && unclear.length === 0) return false;
    if (unclear.length > 0) await new Promise<void>((resolve) => clock.after(1, resolve));
    from = last ?? from;
    again = unclear;
  }
  return false;
}
