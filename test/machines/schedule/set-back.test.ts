/** I1 of `machines/schedule/decide.ts`: a clock that is set back by less than a day. */
import { expect, test } from "vitest";
import { decide, type Facts } from "../../../machines/schedule/decide.ts";
import type { Schedule } from "../../../machines/schedule/schedule.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SIX = Date.UTC(2026, 0, 1, 6);

/** Every hour, done with up to `seen`. */
const hourly = (seen: number, missed: "tell" | "run" = "tell"): Schedule => ({
  ...{ cwd: "/repo", workflow: "w", files: [], enabledAt: 0, off: null, seen, heard: 0, deeds: [] },
  on: { times: [{ cron: "0 * * * *", zone: "UTC" }], files: null, missed, overlap: "skip", inputs: {} },
});
const came = (schedule: Schedule, now: number, more: Partial<Facts> = {}) =>
  decide(
    schedule,
    { type: "time came" },
    { now, since: 0, self: "me", isAlive: () => true, stand: () => "none", isFull: false, run: "r", ...more },
  );

test("that no time comes until then is told, once, and the next one comes", () => {
  const kept = hourly(SIX + 23 * HOUR);
  const told = came(kept, SIX + MINUTE);
  const deed = { type: "clock set back", at: SIX + MINUTE, from: SIX + 23 * HOUR, quiet: true };
  expect([told.news, told.schedule.deeds, told.schedule.seen]).toEqual([[deed], [deed], kept.seen]);
  expect(came(told.schedule, SIX + 2 * MINUTE).news).toEqual([]);
  expect(came(told.schedule, SIX + 5 * HOUR).news).toEqual([]);
  expect(came(told.schedule, SIX + 24 * HOUR).news).toMatchObject([{ type: "started" }]);
});

test("set back a second time it is told again", () => {
  const { schedule } = came(came(hourly(SIX + 3 * HOUR), SIX).schedule, SIX + 4 * HOUR);
  expect(schedule.seen).toBe(SIX + 4 * HOUR);
  expect(came(schedule, SIX).news).toMatchObject([{ type: "clock set back", from: SIX + 4 * HOUR, quiet: true }]);
});

test("where it leaves out no time, or goes back by a minute at most, nothing is told", () => {
  expect(came(hourly(SIX + 59 * MINUTE), SIX + MINUTE).news).toEqual([]);
  expect(came(hourly(SIX + 1), SIX + 1 - MINUTE).news).toEqual([]);
  expect(came(hourly(SIX + 1), SIX - MINUTE).news).toMatchObject([{ quiet: true }]);
});
