/**
 * The runs of a few sessions, newest first, without a look at the runs of all others.
 *
 * I1. A session says when a turn of it began or ended last: no run of it that has ended began later. So sessions are
 *     opened one after the other, last used first, for as long as the next one may hold a later run.
 * I2. A run without an end may have begun later than its session says, as one whose consent was waited for: these are
 *     looked up by themselves. One that ends meanwhile is told once.
 */
import type { Key } from "../../machines/model.ts";
import { type RunListing, type RunRow, type StorageReads, UPDATED_MS, type UsedSession } from "./storage.ts";

const AT_ONCE = 50;
type Runs = Iterator<RunRow, undefined>;
type Head = { row: RunRow; at: number; runs: Runs };

export function* runsWithin(
  { log, runs }: Pick<StorageReads, "log" | "runs">,
  sessions: readonly UsedSession[],
  listing: RunListing,
): Generator<RunRow, undefined> {
  const { phases, workflow, until } = listing;
  const keys = new Set(sessions.map(({ session }) => session));
  const open = phases.includes("open")
    ? [...runs.latest({ ...listing, phases: ["open"] })].filter(({ session }) => keys.has(session))
    : [];
  const told = new Set(open.map(({ run }) => run));
  const isAsked = (row: RunRow): boolean =>
    !told.has(row.run) &&
    phases.includes(row.phase) &&
    (workflow === null || row.workflow === workflow) &&
    (row.begun?.at ?? 0) <= until;

  function* of(session: Key): Generator<RunRow, undefined> {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = log.before(session, before, AT_ONCE, ["run.started"]);
      for (const { run, parentRun } of rows) {
        const row = run === undefined || parentRun !== undefined ? undefined : runs.find(run);
        if (row !== undefined && isAsked(row)) yield row;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < AT_ONCE) return;
      before = last.seq;
    }
  }

  const heads: Head[] = [];
  const read = (of: Runs): void => {
    const { value: row } = of.next();
    if (row !== undefined) heads.push({ row, at: row.begun?.at ?? 0, runs: of });
  };
  const left = sessions.toSorted((a, b) => a.updated - b.updated);
  read(open.values());
  for (;;) {
    let newest = newestOf(heads);
    for (let next = left.at(-1); next !== undefined; next = left.at(-1)) {
      if (newest !== undefined && newest.at > next.updated + UPDATED_MS) break; // I1
      left.pop();
      read(of(next.session));
      newest = newestOf(heads);
    }
    if (newest === undefined) return;
    yield newest.row;
    heads.splice(heads.indexOf(newest), 1);
    read(newest.runs);
  }
}

function newestOf(heads: readonly Head[]): Head | undefined {
  return heads.reduce<Head | undefined>(
    (a, b) => (a === undefined || b.at > a.at || (b.at === a.at && b.row.run > a.row.run) ? b : a),
    undefined,
  );
}
