/**
 * The store brought to its limits.
 *
 * I1. Without a limit nothing is removed. What runs, waits or can be resumed stays, whatever the limits say.
 * I2. The oldest goes first, and no more than the limits ask for: a session whole, with all its runs, since a log has no
 *     gaps. One that was used before the clock was set back is dated later than now: it goes before those whose runs
 *     began after its own.
 */
import type { Collected, Retention } from "../../api/upkeep.ts";
import type { Host } from "../../host/host.ts";

type Resting = { updated: number; runs: number; last: number };
type Upkept = { collecting: Host["collecting"]; runs: Pick<Host["runs"], "gathered"> };

export async function collect(
  { collecting, runs }: Upkept,
  limits: Retention,
  { dryRun, now }: { dryRun: boolean; now: number },
): Promise<Collected> {
  await runs.gathered();
  const resting = oldestFirst(collecting.resting(), now);
  const listed = collecting.listedRuns();
  const before = collecting.size().used;
  const { maxBytes = Number.POSITIVE_INFINITY } = limits;
  let count = asked(resting, limits, { listed, now });
  if (dryRun) {
    // What a session takes is not known before it is gone: the mean of all stands for it.
    const each = resting.length === 0 ? 0 : before / resting.length;
    while (before - count * each > maxBytes && count < resting.length) count++;
    return told(resting.slice(0, count), listed, { before, after: Math.round(before - count * each), free: 0 });
  }
  const isSmall = (): boolean => collecting.size().used <= maxBytes;
  let removed = await collecting.collect(keysOf(resting.slice(0, count)));
  if (!isSmall()) removed += await collecting.collect(keysOf(resting.slice(count)), isSmall);
  if (removed > 0) await collecting.shrink();
  const { used, free } = collecting.size();
  const kept = collecting.listedRuns();
  return { sessions: removed, runs: listed - kept, kept, bytes: { before, after: used }, free };
}

const keysOf = <Key>(resting: readonly { session: Key }[]): Key[] => resting.map(({ session }) => session);

/** I2, of those that are in the order of their dates. What is dated later than now counts as used when the next one was. Pure. */
export function oldestFirst<One extends Resting>(resting: readonly One[], now: number): One[] {
  const isLater = ({ updated }: Resting): boolean => updated > now + A_SECOND;
  const ordered = resting.filter((one) => !isLater(one));
  for (const one of resting.filter(isLater).sort((a, b) => a.last - b.last)) {
    const next = ordered.findIndex(({ last }) => last > one.last);
    const at = next < 0 ? ordered.length : next;
    ordered.splice(at, 0, { ...one, updated: ordered[at]?.updated ?? now });
  }
  return ordered;
}
/** Dates of sessions are exact to this. */
const A_SECOND = 1_000;

/** How many of these, oldest first, the limits of age and number ask for. Pure. */
export function asked(
  resting: readonly Resting[],
  { maxAgeMs, maxRuns }: Retention,
  { listed, now }: { listed: number; now: number },
): number {
  const isOld = ({ updated }: Resting): boolean => maxAgeMs !== undefined && updated < now - maxAgeMs;
  let count = resting.findIndex((one) => !isOld(one));
  if (count < 0) count = resting.length;
  if (maxRuns === undefined) return count;
  let left = listed - resting.slice(0, count).reduce((sum, { runs }) => sum + runs, 0);
  while (left > maxRuns && count < resting.length) left -= resting[count++]?.runs ?? 0;
  return count;
}

function told(
  gone: readonly Resting[],
  listed: number,
  { before, after, free }: { before: number; after: number; free: number },
): Collected {
  const runs = gone.reduce((sum, one) => sum + one.runs, 0);
  return { sessions: gone.length, runs, kept: listed - runs, bytes: { before, after }, free };
}
