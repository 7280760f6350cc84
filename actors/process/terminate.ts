/**
 * Ends the processes of an attempt: the ladder for a cancel, and the clearing up after a child that ended by itself.
 *
 * I1. The ladder: `first` to everything; when the child has gone, or after `graceMs`, SIGKILL to all that still runs.
 * I2. It looks again after each kill until two looks in a row find nothing, nor a process inside exec, which shows no
 *     environment for a moment: a fork that races us does not win.
 * I3. It ends at the latest 1 s after the first SIGKILL, whatever the system does.
 */
import type { Timers } from "../base/clock.ts";
import type { FamilySignal, ProcessTree } from "./process-tree.ts";

/** How long, in milliseconds, left-over processes of an ended child may take to end on SIGTERM. */
export const LEFTOVER_GRACE_MS = 200;
const KILL_BOUND_MS = 1000;
const LONGEST_PAUSE_MS = 40;

export type LadderOptions = {
  family: ProcessTree;
  first: "SIGTERM" | "SIGINT";
  graceMs: number;
  /** Settles when the child has gone. */
  gone: Promise<unknown>;
  clock: Timers;
};

/** Ends the child and all it started (I1, I2). */
export async function runLadder({ family, first, graceMs, gone, clock }: LadderOptions): Promise<void> {
  family.signal(family.look(null).members, first);
  if (!family.childGone) await withLimit(gone, graceMs, clock);
  await clear(family, "SIGKILL", KILL_BOUND_MS, clock);
}

/** Ends what an ended child left behind: SIGTERM, a short grace, SIGKILL. */
export async function endLeftovers(family: ProcessTree, clock: Timers): Promise<void> {
  family.signal(family.look(null).members, "SIGTERM");
  if (!(await clear(family, null, LEFTOVER_GRACE_MS, clock))) await clear(family, "SIGKILL", KILL_BOUND_MS, clock);
}

/** Waits for `event`, at most `ms` milliseconds. */
export async function withLimit(event: Promise<unknown>, ms: number, clock: Timers): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = clock.after(ms, resolve);
    const finish = () => {
      stop();
      resolve();
    };
    event.then(finish, finish);
  });
}

async function clear(family: ProcessTree, signal: FamilySignal | null, ms: number, clock: Timers): Promise<boolean> {
  const end = clock.elapsed() + ms;
  let pause = 1;
  for (let empty = 0; ; ) {
    const { members, unclear } = family.look(null);
    empty = members.length + unclear.length === 0 && family.childGone ? empty + 1 : 0;
    if (empty === 2) return true;
    if (empty === 0 && signal !== null) family.signal(members, signal);
    if (clock.elapsed() >= end) return false;
    await new Promise<void>((resolve) => clock.after(pause, resolve));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}
