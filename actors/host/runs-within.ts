/**
 * The runs of a few sessions, newest first, without a look at the runs of all others.
 *
 * I1. A session says when a turn of it began or ended last: no run of it that has ended began later. So sessions are
 *     opened one after the other, last used first, for as long as the next one may hold a later run.
 * I2. A run without an end may have begun later than its session says, as one whose consent was waited for: these are
 *     looked up by themselves. One that ends meanwhile is told once.
 * I3. The event loop runs between the logs of two sessions.
 */
import { type RunListing, type RunRow, type StorageReads, UPDATED_MS, type UsedSession } from "./storage.ts";

const AT_ONCE = 50;
type Head = { row: RunRow; rows: Iterator<RunRow, undefined> };

/** `behind`: only runs that come after it in a list. */
export async function* runsWithin(
  storage: Pick<StorageReads, "log" | "runs">,
  sessions: readonly UsedSession[],
  { behind, ...listing }: RunListing & { behind: RunRow },
): AsyncGenerator<RunRow, undefined> {
  const keys = new Set(sessions.map(({ session }) => session));
  const open = listing.phases.includes("open")
    ? [...storage.runs.latest({ ...listing, phases: ["open"] })].filter(({ session }) => keys.has(session))
    : [];
  const known = new Set(open.map(({ run }) => run));
  const isAsked = (row: RunRow): boolean =>
    !known.has(row.run) &&
    listing.phases.includes(row.phase) &&
    (listing.workflow === null || row.workflow === listing.workflow) &&
    isNewer(behind, row);

  const heads: Head[] = [];
  const read = (rows: Head["rows"]): void => {
    const { value: row } = rows.next();
    if (row !== undefined) heads.push({ row, rows });
  };
  read(open.filter((row) => isNewer(behind, row)).values());
  const left = sessions.toSorted((a, b) => a.updated - b.updated);
  for (;;) {
    let newest = newestOf(heads);
    for (let next = left.at(-1); next !== undefined; next = left.at(-1)) {
      if (newest !== undefined && timeOf(newest.row) > next.updated + UPDATED_MS) break; // I1
      left.pop();
      read(begunIn(storage, next).filter(isAsked));
      newest = newestOf(heads);
      await new Promise(setImmediate); // I3
    }
    if (newest === undefined) return;
    yield newest.row;
    heads.splice(heads.indexOf(newest), 1);
    read(newest.rows);
  }
}

/** The runs that its log names and that no other run called, newest first. */
function* begunIn({ log, runs }: Pick<StorageReads, "log" | "runs">, { session }: UsedSession) {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = log.before(session, before, AT_ONCE, ["run.started"]);
    for (const { run, parentRun } of rows) {
      const row = run === undefined || parentRun !== undefined ? undefined : runs.find(run);
      if (row !== undefined) yield row;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    before = last.seq;
  }
}

const timeOf = (row: RunRow): number => row.begun?.at ?? 0;
const isNewer = (one: RunRow, other: RunRow): boolean =>
  timeOf(one) === timeOf(other) ? one.run > other.run : timeOf(one) > timeOf(other);
const newestOf = (heads: readonly Head[]): Head | undefined =>
  heads.reduce<Head | undefined>((a, b) => (a === undefined || isNewer(b.row, a.row) ? b : a), undefined);
