/** `machines/schedule/cron.ts`: times in their zones, on the days when clocks change, and what is no time. */
import { expect, test } from "vitest";
import { cronFault, isZone, nextTime, timesWithin } from "../../../machines/schedule/cron.ts";

const zurich = (cron: string) => [{ cron, zone: "Europe/Zurich" }];
const from = (cron: string, after: string, many: number): string[] =>
  timesWithin(zurich(cron), { after: Date.parse(after), until: Number.MAX_SAFE_INTEGER }, many).map((at) =>
    new Date(at).toISOString().slice(5, 16),
  );

test("a time of day keeps its place in its zone, in winter and in summer", () => {
  expect(from("0 6 * * 1-5", "2026-03-26T12:00Z", 3)).toEqual(["03-27T05:00", "03-30T04:00", "03-31T04:00"]);
});

test("I1: on the day when the clock leaps from 2 to 3, half past 2 is 3 o'clock", () => {
  expect(from("30 2 * * *", "2026-03-28T12:00Z", 2)).toEqual(["03-29T01:00", "03-30T00:30"]);
});

test("I1: on that day every half hour stays every half hour", () => {
  expect(from("*/30 * * * *", "2026-03-29T00:00Z", 4)).toEqual([
    "03-29T00:30",
    "03-29T01:00",
    "03-29T01:30",
    "03-29T02:00",
  ]);
});

test("I1: on the day when an hour comes twice, half past 2 comes once", () => {
  expect(from("30 2 * * *", "2026-10-24T12:00Z", 2)).toEqual(["10-25T00:30", "10-26T01:30"]);
});

test("I1: so does each of several times of day", () => {
  expect(from("30 2,14 * * *", "2026-03-28T22:00Z", 2)).toEqual(["03-29T01:00", "03-29T12:30"]);
  expect(from("30 2,14 * * *", "2026-10-24T21:00Z", 2)).toEqual(["10-25T00:30", "10-25T13:30"]);
  expect(from("0,30 2 * * *", "2026-03-28T22:00Z", 2)).toEqual(["03-29T01:00", "03-30T00:00"]);
  expect(from("0,30 2 * * *", "2026-10-24T21:00Z", 3)).toEqual(["10-25T00:00", "10-25T00:30", "10-26T01:00"]);
});

test("I1: on that day every half hour comes in both of the two hours", () => {
  expect(from("*/30 * * * *", "2026-10-24T23:30Z", 5)).toEqual([
    "10-25T00:00",
    "10-25T00:30",
    "10-25T01:00",
    "10-25T01:30",
    "10-25T02:00",
  ]);
});

test("I2: a day and a weekday together mean either", () => {
  expect(from("0 0 1 * mon", "2026-01-25T00:00Z", 3)).toEqual(["01-25T23:00", "01-31T23:00", "02-01T23:00"]);
});

test("the next of several times is the first of any", () => {
  const times = [...zurich("0 6 * * *"), { cron: "0 4 * * *", zone: "UTC" }];
  expect(nextTime(times, Date.parse("2026-07-01T00:00Z"))).toBe(Date.parse("2026-07-01T04:00Z"));
  expect(nextTime([], 0)).toBeNull();
});

test("no more times are counted than are asked for", () => {
  expect(timesWithin(zurich("* * * * *"), { after: 0, until: Date.now() }, 100)).toHaveLength(100);
});

test.each([
  ["0 6 * * *", null],
  ["*/5 8-18 1,15 jan-mar mon", null],
  ["0 0 29 2 *", null],
  ["", "expected five fields"],
  ["0 6 * *", "expected five fields"],
  ["0 0 6 * * *", "expected five fields"],
  ["@daily", "expected five fields"],
  ["61 * * * *", "minute"],
  ["0 25 * * *", "hour"],
  ["0 6 L * *", 'day "L"'],
  ["0 6 * * mon#1", 'weekday "mon#1"'],
  ["0 0 30 2 *", "no such day"],
  ["0 6 * * abc", "abc"],
])("%s: %s", (cron, fault) => {
  const found = cronFault(cron);
  if (fault === null) expect(found).toBeNull();
  else expect(found?.toLowerCase()).toContain(fault.toLowerCase());
});

test("zones are those that the system knows", () => {
  expect(["Europe/Zurich", "UTC", "Mars/Base", ""].map(isZone)).toEqual([true, true, false, false]);
});
