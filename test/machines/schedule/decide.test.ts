/** `machines/schedule/decide.ts`: whole sequences of what a schedule keeps, starts and tells. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Decision,
  decide,
  type Facts,
  type RunStand,
  type ScheduleEvent,
} from "../../../machines/schedule/decide.ts";
import { MOST_DEEDS, type Schedule } from "../../../machines/schedule/schedule.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SIX = Date.UTC(2026, 0, 1, 6);
const CAME: ScheduleEvent = { type: "time came" };

const schedule = (more: Partial<Schedule["on"]> = {}, kept: Partial<Schedule> = {}): Schedule => ({
  cwd: "/repo",
  workflow: "nightly",
  on: {
    times: [{ cron: "0 * * * *", zone: "UTC" }],
    files: null,
    missed: "tell",
    overlap: "skip",
    inputs: {},
    ...more,
  },
  files: [{ path: "/repo/nightly.yaml", digest: "d" }],
  ...{ enabledAt: SIX - MINUTE, off: null, seen: SIX - MINUTE, heard: SIX - MINUTE, deeds: [] },
  ...kept,
});
/** Runs by id; those that are not named are not there. */
const facts = (
  now: number,
  run = "r1",
  stands: { [run: string]: RunStand } = {},
  more: Partial<Facts> = {},
): Facts => ({
  ...{ now, since: Number.POSITIVE_INFINITY, run, self: "me", isFull: false },
  isAlive: (process) => process === "me",
  stand: (of) => stands[of] ?? "none",
  ...more,
});
const told = ({ news, start }: Decision): string[] => [
  ...news.map((one) => ("why" in one ? `off: ${one.why}` : one.type)),
  ...(start === null ? [] : [`start ${start.run}`]),
];

test("I1: a time starts one run, however often it is looked at", () => {
  const first = decide(schedule(), CAME, facts(SIX + 5));
  expect(told(first)).toEqual(["started", "start r1"]);
  expect(first.start?.cause).toEqual({ type: "time", due: SIX });
  expect(first.schedule).toMatchObject({ seen: SIX + 5, deeds: [{ type: "started", run: "r1", by: "me" }] });
  const again = decide(first.schedule, CAME, facts(SIX + 6, "r2", { r1: "ended" }));
  expect(told(again)).toEqual([]);
});

test("nothing is due: what is kept stays the very same", () => {
  const kept = schedule();
  expect(decide(kept, CAME, facts(SIX - 1)).schedule).toBe(kept);
});

test("I2: a time that comes a minute late is still run; later it is told, and nothing is run", () => {
  expect(told(decide(schedule(), CAME, facts(SIX + MINUTE - 1)))).toEqual(["started", "start r1"]);
  const late = decide(schedule(), CAME, facts(SIX + MINUTE));
  expect(late.news).toEqual([{ type: "missed", at: SIX + MINUTE, first: SIX, count: 1 }]);
  expect(late.start).toBeNull();
});

test("I2: times that were missed are told once, beside the one that is due now", () => {
  const now = SIX + 3 * HOUR + 10;
  const { news, schedule: kept } = decide(schedule(), CAME, facts(now));
  expect(news.map(({ at: _, ...deed }) => deed)).toEqual([
    { type: "missed", first: SIX, count: 3 },
    { type: "started", cause: { type: "time", due: SIX + 3 * HOUR }, run: "r1", by: "me" },
  ]);
  expect(told(decide(kept, CAME, facts(now + 1, "r2", { r1: "ended" })))).toEqual([]);
});

test("I2: where the author says so, one run makes up for all that was missed", () => {
  const { start, news } = decide(schedule({ missed: "run" }), CAME, facts(SIX + 5 * HOUR + 10 * MINUTE));
  expect(start?.cause).toEqual({ type: "missed", due: SIX, count: 6 });
  expect(news).toHaveLength(1);
});

test("I2: years of missed minutes are counted up to a hundred", () => {
  const times = [{ cron: "* * * * *", zone: "UTC" }];
  const { news } = decide(schedule({ times }), CAME, facts(SIX + 900 * DAY + 30_000));
  expect(news).toMatchObject([{ type: "missed", count: 100 }, { type: "started" }]);
});

test("I1: a clock that goes back an hour repeats nothing; after that hour it goes on", () => {
  const { schedule: kept } = decide(schedule(), CAME, facts(SIX + 5));
  expect(told(decide(kept, CAME, facts(SIX - HOUR, "r2", { r1: "ended" })))).toEqual(["clock set back"]);
  expect(told(decide(kept, CAME, facts(SIX + 1, "r2", { r1: "ended" })))).toEqual([]);
  expect(told(decide(kept, CAME, facts(SIX + HOUR, "r2", { r1: "ended" })))).toEqual(["started", "start r2"]);
});

test("I1: a clock that goes back more than a day: times go on from there, which is told", () => {
  const kept = schedule({}, { seen: SIX + 400 * DAY });
  const back = decide(kept, CAME, facts(SIX - MINUTE));
  expect(told(back)).toEqual(["clock set back"]);
  expect(told(decide(back.schedule, CAME, facts(SIX)))).toEqual(["started", "start r1"]);
});

test("I3: a run that was written down, and whose process died before it had begun, is told and not run", () => {
  const { schedule: kept } = decide(schedule(), CAME, facts(SIX));
  const after = decide(kept, CAME, facts(SIX + 20_000, "r2", {}, { self: "next", isAlive: (one) => one === "next" }));
  expect(after.news).toEqual([{ type: "cut off", at: SIX + 20_000, cause: { type: "time", due: SIX }, run: "r1" }]);
  expect(after.start).toBeNull();
  expect(told(decide(after.schedule, CAME, facts(SIX + 21_000, "r3")))).toEqual([]);
});

test("I3: where the author lets missed times run, it is made up for", () => {
  const { schedule: kept } = decide(schedule({ missed: "run" }), CAME, facts(SIX));
  const after = decide(kept, CAME, facts(SIX + 20_000, "r2", {}, { isAlive: () => false }));
  expect(told(after)).toEqual(["cut off", "started", "start r2"]);
});

test("I3: a run that had begun is not cut off, also when its process died or its session was deleted", () => {
  const { schedule: kept } = decide(schedule(), CAME, facts(SIX));
  const begun = decide(kept, CAME, facts(SIX + 1, "r2", { r1: "ended" }, { isAlive: () => false }));
  expect(begun.news).toEqual([]);
  const deleted = decide(begun.schedule, CAME, facts(SIX + HOUR, "r2", {}, { isAlive: () => false }));
  expect(told(deleted)).toEqual(["started", "start r2"]);
});

test("I4: while a run goes on or waits nothing is started; it is told once and then counted", () => {
  let { schedule: kept } = decide(schedule(), CAME, facts(SIX));
  const open: { [run: string]: RunStand } = { r1: "open" };
  const first = decide(kept, CAME, facts(SIX + HOUR, "r2", open));
  expect(told(first)).toEqual(["skipped"]);
  const second = decide(first.schedule, CAME, facts(SIX + 2 * HOUR, "r3", open));
  expect(told(second)).toEqual([]);
  kept = second.schedule;
  expect(kept.deeds).toMatchObject([{ type: "skipped", count: 2, run: "r1", because: "running" }, { type: "started" }]);
  expect(told(decide(kept, CAME, facts(SIX + 3 * HOUR, "r4", { r1: "ended" })))).toEqual(["started", "start r4"]);
});

test("I4: one that is about to begin counts as well", () => {
  const { schedule: kept } = decide(schedule(), CAME, facts(SIX));
  expect(told(decide(kept, CAME, facts(SIX + HOUR, "r2")))).toEqual(["skipped"]);
});

test("I4: where the author allows it, a run goes beside another one", () => {
  const { schedule: kept } = decide(schedule({ overlap: "allow" }), CAME, facts(SIX));
  expect(told(decide(kept, CAME, facts(SIX + HOUR, "r2", { r1: "open" })))).toEqual(["started", "start r2"]);
});

test("a process that has too many runs starts none, and says so", () => {
  expect(told(decide(schedule(), CAME, facts(SIX, "r1", {}, { isFull: true })))).toEqual(["skipped"]);
});

const changed = (paths: string[], at: number, run: string | null = null): ScheduleEvent => ({
  type: "files changed",
  files: paths.map((path) => ({ path, at, run })),
  until: at + 1_000,
});

test("I5: of two processes that have heard of one change, one starts a run", () => {
  const first = decide(schedule({ overlap: "allow" }), changed(["a", "b"], SIX), facts(SIX + 1_000));
  expect(first.start).toMatchObject({ run: "r1", paths: ["a", "b"], cause: { type: "files", count: 2 } });
  expect(told(decide(first.schedule, changed(["a", "b"], SIX + 20), facts(SIX + 1_010, "r2")))).toEqual([]);
  const later = decide(first.schedule, changed(["a"], SIX + 1_001), facts(SIX + 2_001, "r2"));
  expect(told(later)).toEqual(["started", "start r2"]);
});

test("I5: a change that comes after the clock was set back is done with, and once", () => {
  const { schedule: kept } = decide(schedule({ overlap: "allow" }), changed(["a"], SIX), facts(SIX + 1_000));
  const back = SIX - 9 * HOUR;
  // Another process heard of the first change, and tells it late.
  expect(told(decide(kept, changed(["a"], SIX + 20), facts(back, "r2")))).toEqual([]);
  const next = decide(kept, changed(["b"], back), facts(back + 1_000, "r2"));
  expect(told(next)).toEqual(["started", "start r2"]);
  expect(told(decide(next.schedule, changed(["b"], back + 20), facts(back + 1_010, "r3")))).toEqual([]);
  expect(told(decide(next.schedule, changed(["b"], back + 2_000), facts(back + 3_000, "r3")))).toEqual([
    "started",
    "start r3",
  ]);
});

test("what a run may have changed itself starts nothing, and is told once", () => {
  const { schedule: kept } = decide(schedule(), changed(["a"], SIX), facts(SIX + 1));
  const first = decide(kept, changed(["a", "b"], SIX + 100, "r1"), facts(SIX + 200, "r2", { r1: "ended" }));
  expect(told(first)).toEqual(["ignored"]);
  const second = decide(first.schedule, changed(["b", "c"], SIX + 300, "r1"), facts(SIX + 400, "r2", { r1: "ended" }));
  expect(told(second)).toEqual([]);
  expect(second.schedule.deeds[0]).toMatchObject({ type: "ignored", count: 4, paths: ["a", "b", "c"] });
});

test("I6: one that is off starts nothing, and misses nothing", () => {
  const off = decide(schedule(), { type: "turned off", why: "changed", files: ["/repo/x.sh"] }, facts(SIX - 1));
  expect(told(off)).toEqual(["off: changed"]);
  for (const event of [CAME, changed(["a"], SIX), { type: "turned off", why: "disabled", files: [] } as const])
    expect(decide(off.schedule, event, facts(SIX + 9 * HOUR))).toEqual({
      schedule: off.schedule,
      start: null,
      news: [],
    });
});

test("a run that could not begin says why, in the place of its start", () => {
  const { schedule: kept } = decide(schedule(), CAME, facts(SIX));
  const fault = { code: "USER.INPUT.MISSING", message: "no" };
  const { schedule: after } = decide(kept, { type: "not begun", run: "r1", fault }, facts(SIX + 1));
  expect(after.deeds).toEqual([
    { type: "not begun", at: SIX + 1, cause: { type: "time", due: SIX }, run: "r1", fault },
  ]);
});

test("the last run that was started stays known, whatever else comes", () => {
  let { schedule: kept } = decide(schedule(), CAME, facts(SIX));
  const stands: { [run: string]: RunStand } = { r1: "open" };
  for (let n = 1; n <= 3 * MOST_DEEDS; n++) {
    const now = SIX + n * HOUR;
    kept = decide(kept, changed([`f${n}`], now, `other${n}`), facts(now, "x", stands)).schedule;
    kept = decide(kept, CAME, facts(now, "x", stands)).schedule;
  }
  expect(kept.deeds).toHaveLength(MOST_DEEDS);
  expect(kept.deeds.at(-1)).toMatchObject({ type: "started", run: "r1" });
});

test("I1, I4: whatever the clock does, no time is started twice and no two runs go on", () => {
  const steps = fc.array(fc.record({ jump: fc.integer({ min: -3 * HOUR, max: 3 * HOUR }), ends: fc.boolean() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (all) => {
      let kept = schedule();
      let now = SIX;
      const stands: { [run: string]: RunStand } = {};
      const dues: number[] = [];
      for (const [n, { jump, ends }] of all.entries()) {
        now += jump;
        if (ends) for (const run of Object.keys(stands)) stands[run] = "ended";
        const { schedule: next, start } = decide(kept, CAME, facts(now, `r${n}`, stands));
        kept = next;
        if (start === null) continue;
        expect(Object.values(stands)).not.toContain("open");
        stands[start.run] = "open";
        if (start.cause.type === "time") dues.push(start.cause.due);
      }
      expect(new Set(dues).size).toBe(dues.length);
    }),
    { seed: 7, numRuns: 200 },
  );
});
