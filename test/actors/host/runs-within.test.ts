/** Covers `runs-within.ts`: the runs of some sessions are in the order of all runs, and no more is read than that needs. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runsWithin } from "../../../actors/host/runs-within.ts";
import type { RunListing, RunPhase, RunRow, StorageReads } from "../../../actors/host/storage.ts";
import type { Key } from "../../../machines/model.ts";
import { sessionKey } from "../../support/host-machines.ts";

const END = { run: "", begun: { seq: 1, at: 99_999 } } as RunRow;
const ALL: RunListing & { behind: RunRow } = {
  ...{ principal: null, workflow: null, until: 99_999, behind: END },
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
      latest: ({ phases, workflow }: RunListing) =>
        newestFirst(
          rows.filter(
            (row) =>
              row.parentRun === null && phases.includes(row.phase) && (workflow === null || row.workflow === workflow),
          ),
        ),
    },
  } as unknown as Pick<StorageReads, "log" | "runs">;
  return { storage, opened, rows };
}
const newestFirst = <R extends RunRow>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => (b.begun?.at ?? 0) - (a.begun?.at ?? 0) || (a.run < b.run ? 1 : -1));
async function runsOf(found: AsyncIterable<RunRow>): Promise<string[]> {
  const runs: string[] = [];
  for await (const { run } of found) runs.push(run);
  return runs;
}

const session = fc.constantFrom(...["a", "b", "c"].map(sessionKey));
const made = fc.record({
  ...{ session, at: fc.nat(6_000), phase: fc.constantFrom<RunPhase>("open", "parked", "completed", "failed") },
  ...{ workflow: fc.constantFrom("w", "v"), isCalled: fc.boolean() },
});

test("they are those of the sessions that were asked for, in the order of all runs (I1, I2)", async () => {
  const asked = fc.record({
    phases: fc.subarray<RunPhase>(["open", "parked", "completed", "failed"]),
    workflow: fc.constantFrom(null, "w"),
    behind: fc.record({ run: fc.constantFrom("", "r5", "r50", "r9"), at: fc.nat(7_000) }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(made, { maxLength: 90 }), asked, async (runs, { behind: { run, at }, ...query }) => {
      const all = runs.toSorted((one, other) => one.at - other.at);
      const { storage, rows } = kept(all);
      const behind = { run, begun: { seq: 1, at } } as RunRow;
      const sessions = ["a", "b"].map(sessionKey).map((of) => {
        const ended = all.filter(({ session: key, phase }) => key === of && phase !== "open");
        return { session: of, updated: Math.max(0, ...ended.map((one) => one.at)) };
      });
      const isMeant = (row: RunRow): boolean =>
        sessions.some((one) => one.session === row.session) &&
        row.parentRun === null &&
        query.phases.includes(row.phase) &&
        (query.workflow === null || row.workflow === query.workflow) &&
        newestFirst([behind, row])[1] === row;
      const found = await runsOf(runsWithin(storage, sessions, { ...ALL, ...query, behind }));
      expect(found).toEqual(newestFirst(rows.filter(isMeant)).map((row) => row.run));
    }),
  );
});

test("no session is opened that cannot hold a later run than the one that is read (I1)", async () => {
  const sessions = Array.from({ length: 9 }, (_, n) => ({ session: sessionKey(`s${n}`), updated: n * 5_000 }));
  const { storage, opened } = kept(sessions.map((of) => ({ session: of.session, at: of.updated, phase: "completed" })));
  expect((await runsWithin(storage, sessions, ALL).next()).value?.run).toBe("r8");
  expect(opened).toEqual([sessionKey("s8")]);
});

test("one that ends while it is listed is told once (I2)", async () => {
  const { storage, rows } = kept([
    { session: sessionKey("a"), at: 10, phase: "completed" },
    { session: sessionKey("a"), at: 20, phase: "open" },
  ]);
  const found = runsWithin(storage, [{ session: sessionKey("a"), updated: 0 }], ALL);
  expect((await found.next()).value?.run).toBe("r1");
  for (const row of rows) row.phase = "completed";
  expect(await runsOf(found)).toEqual(["r0"]);
});

test("the event loop runs between the logs of two sessions (I3)", async () => {
  const sessions = Array.from({ length: 9 }, (_, n) => ({ session: sessionKey(`s${n}`), updated: 0 }));
  const { storage, opened } = kept([]);
  const found = runsOf(runsWithin(storage, sessions, ALL));
  await new Promise(setImmediate);
  expect(opened.length).toBeLessThan(9);
  expect(await found).toEqual([]);
  expect(opened).toHaveLength(9);
});
