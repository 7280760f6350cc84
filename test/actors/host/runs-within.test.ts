/** Covers `runs-within.ts`: the runs of some sessions are in the order of all runs, and no more is read than that needs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runsWithin } from "../../../actors/host/runs-within.ts";
import type { RunListing, RunPhase, RunRow, StorageReads } from "../../../actors/host/storage.ts";
import type { Key } from "../../../machines/model.ts";
import { sessionKey } from "../../support/host-machines.ts";

const ALL: RunListing = {
  ...{ principal: null, workflow: null, until: 99_999 },
  phases: ["open", "parked", "completed", "failed"],
};
type Made = { session: Key; at: number; phase: RunPhase; workflow?: string; isCalled?: boolean };

/** A storage with these runs, r0, r1 and so on; `opened`: whose logs were read. */
function kept(made: readonly Made[]) {
  const opened: Key[] = [];
  const rows = made.map(({ session, at, phase, workflow = "w", isCalled = false }, n): RunRow & { seq: number } => ({
    ...{ run: `r${n}`, session, workflow, parentRun: isCalled ? "r" : null, phase, ended: null },
    ...{ begun: { seq: n + 1, at }, seq: n + 1 },
  }));
  const storage = {
    log: {
      before: (session: Key, before: number, limit: number) => {
        opened.push(session);
        const found = rows.filter((row) => row.session === session && row.seq < before).toReversed();
        return found.slice(0, limit).map(({ run, parentRun, seq }) => ({ run, seq, ...(parentRun && { parentRun }) }));
      },
    },
    runs: {
      find: (run: string) => rows.find((row) => row.run === run),
      latest: ({ phases }: RunListing) => newestFirst(rows.filter((row) => phases.includes(row.phase))),
    },
  } as unknown as Pick<StorageReads, "log" | "runs">;
  return { storage, opened, rows };
}
const newestFirst = <R extends RunRow>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => (b.begun?.at ?? 0) - (a.begun?.at ?? 0) || (a.run < b.run ? 1 : -1));
const runsOf = (found: Iterable<RunRow>): string[] => [...found].map(({ run }) => run);

const session = fc.constantFrom(...["a", "b", "c"].map(sessionKey));
const made = fc.record({
  ...{ session, at: fc.nat(6_000), phase: fc.constantFrom<RunPhase>("open", "parked", "completed", "failed") },
  ...{ workflow: fc.constantFrom("w", "v"), isCalled: fc.boolean() },
});

test("they are those of the sessions that were asked for, in the order of all runs (I1, I2)", () => {
  const asked = fc.record({
    phases: fc.subarray<RunPhase>(["open", "parked", "completed", "failed"]),
    workflow: fc.constantFrom(null, "w"),
    until: fc.nat(6_000),
  });
  fc.assert(
    fc.property(fc.array(made, { maxLength: 90 }), asked, (runs, query) => {
      const all = runs.toSorted((a, b) => a.at - b.at);
      const { storage, rows } = kept(all);
      const listing = { ...ALL, ...query };
      const sessions = ["a", "b"].map(sessionKey).map((of) => {
        const ended = all.filter((run) => run.session === of && run.phase !== "open").map(({ at }) => at);
        return { session: of, updated: Math.max(0, ...ended) };
      });
      const isMeant = ({ session: of, parentRun, phase, workflow, begun }: RunRow): boolean =>
        sessions.some((one) => one.session === of) &&
        parentRun === null &&
        query.phases.includes(phase) &&
        (query.workflow === null || workflow === query.workflow) &&
        (begun?.at ?? 0) <= query.until;
      const listed = { ...storage.runs, latest: (of: RunListing) => latestOf(rows, of) };
      const found = runsOf(runsWithin({ ...storage, runs: listed }, sessions, listing));
      expect(found).toEqual(runsOf(newestFirst(rows.filter(isMeant))));
    }),
  );
});
const latestOf = (rows: readonly RunRow[], { phases, workflow, until }: RunListing): RunRow[] =>
  newestFirst(
    rows.filter(
      (row) =>
        row.parentRun === null &&
        phases.includes(row.phase) &&
        (workflow === null || row.workflow === workflow) &&
        (row.begun?.at ?? 0) <= until,
    ),
  );

test("no session is opened that cannot hold a later run than the one that is read (I1)", () => {
  const sessions = Array.from({ length: 9 }, (_, n) => ({ session: sessionKey(`s${n}`), updated: n * 5_000 }));
  const { storage, opened } = kept(sessions.map((of) => ({ session: of.session, at: of.updated, phase: "completed" })));
  expect(runsWithin(storage, sessions, ALL).next().value?.run).toBe("r8");
  expect(opened).toEqual([sessionKey("s8")]);
});

test("one that ends while it is listed is told once (I2)", () => {
  const { storage, rows } = kept([
    { session: sessionKey("a"), at: 10, phase: "completed" },
    { session: sessionKey("a"), at: 20, phase: "open" },
  ]);
  const found = runsWithin(storage, [{ session: sessionKey("a"), updated: 0 }], ALL);
  expect(found.next().value?.run).toBe("r1");
  for (const row of rows) row.phase = "completed";
  expect(runsOf(found)).toEqual(["r0"]);
});
