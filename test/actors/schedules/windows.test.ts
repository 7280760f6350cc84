/** `actors/schedules/windows.ts`: which run may have changed a file. */
import { expect, test } from "vitest";
import type { RunAbout } from "../../../actors/host/reads.ts";
import { SETTLE_MS, workingAt } from "../../../actors/schedules/windows.ts";
import type { Deed, Schedule } from "../../../machines/schedule/schedule.ts";

const started = (run: string, at: number, begun = true): Deed => ({
  ...{ type: "started", at, cause: { type: "time", due: at }, run, by: "me" },
  ...(begun ? { begun: true as const } : {}),
});
const of = (cwd: string, ...deeds: Deed[]): Schedule => ({ cwd, deeds }) as Schedule;
const runs: { [run: string]: Partial<RunAbout> } = {
  ended: { stands: "completed", end: { at: 200 } as RunAbout["end"] },
  open: { stands: "running", end: null },
  parked: { stands: "parked", end: null, of: { updated: 300 } as RunAbout["of"] },
};
const at = (schedules: Schedule[], cwd: string, ms: number): string | null =>
  workingAt(schedules, { cwd, at: ms }, { find: (run) => runs[run] as RunAbout | undefined });

test.each([
  ["before it began", "ended", 99, false],
  ["while it worked", "ended", 150, true],
  ["just after its end", "ended", 200 + SETTLE_MS, true],
  ["later", "ended", 201 + SETTLE_MS, false],
  ["while it works", "open", 1_000_000, true],
  ["before it waited for words", "parked", 300, true],
  ["long after that", "parked", 301 + SETTLE_MS, false],
  ["of one that was deleted", "deleted", 101 + SETTLE_MS, false],
])("%s", (_, run, ms, is) => {
  expect(at([of("/repo", started(run, 100))], "/repo", ms)).toBe(is ? run : null);
});

test("one that is about to begin counts as working", () => {
  expect(at([of("/repo", started("none", 100, false))], "/repo", 1_000_000)).toBe("none");
});

test("also above and below its directory, and nowhere else", () => {
  const all = [of("/repo/a", started("open", 100))];
  expect(["/repo", "/repo/a", "/repo/a/b", "/", "/repo/ab", "/repo/b"].map((cwd) => at(all, cwd, 150))).toEqual([
    ...Array(4).fill("open"),
    null,
    null,
  ]);
});
