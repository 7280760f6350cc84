/** Covers `clock.ts`: I1, on a clock that is late by as much as a test says. */
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HEARD_MS, hearing, LONGEST_MS, STOOD_STILL_MS, systemClock, timeLimit } from "../../../actors/base/clock.ts";
import { standStill } from "../../support/deaf.ts";
import { ManualClock } from "../../support/manual-clock.ts";

let clock: ManualClock;
let over: string[];
beforeEach(() => {
  clock = new ManualClock();
  over = [];
});
afterEach(() => void vi.useRealTimers());
const wait = (name: string, ms: number) => hearing(clock)(ms, () => void over.push(name));
const after = (ms: number): string[] => {
  clock.advance(ms);
  return over.splice(0);
};

test("a wait ends in its time, and a little late", () => {
  wait("a", 10);
  expect(after(9)).toEqual([]);
  expect(after(1)).toEqual(["a"]);
  wait("b", 10);
  expect(after(10 + STOOD_STILL_MS)).toEqual(["b"]);
  expect(clock.timers).toBe(0);
});

test("where the process stood still, what has come meanwhile is heard first (I1)", () => {
  const heard = wait("in time", 10);
  wait("late", 20);
  expect(after(21 + STOOD_STILL_MS)).toEqual([]);
  heard(); // its answer was there
  expect(after(HEARD_MS - 1)).toEqual([]);
  expect(after(1)).toEqual(["late"]);
  expect(clock.timers).toBe(0);
});

test("where it stands still all the time, waits end nevertheless (I1)", () => {
  wait("late", 10);
  expect(after(11 + STOOD_STILL_MS)).toEqual([]);
  expect(after(HEARD_MS + STOOD_STILL_MS + 1)).toEqual(["late"]);
});

test("what sleeps hears first what has come meanwhile, too (I1)", async () => {
  const order: string[] = [];
  const slept = systemClock.sleep(10).then(() => void order.push("slept"));
  setImmediate(() => {
    standStill(STOOD_STILL_MS + 50);
    setImmediate(() => void order.push("heard")); // as what has come from outside
  });
  await slept;
  expect(order).toEqual(["heard", "slept"]);
});

test("a sleep that is ended rejects with the reason, and leaves nothing behind", async () => {
  const ending = new AbortController();
  const reason = new Error("ended");
  const slept = systemClock.sleep(60_000, ending.signal);
  ending.abort(reason);
  await expect(slept).rejects.toBe(reason);
  await expect(systemClock.sleep(60_000, ending.signal)).rejects.toBe(reason);
  const quiet = new AbortController();
  await systemClock.sleep(0, quiet.signal);
  expect(getEventListeners(quiet.signal, "abort")).toEqual([]);
});

test("a wait that is longer than a timer of Node's ends in its time, or never (I2)", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] });
  const long = 2 * LONGEST_MS + 100;
  systemClock.after(long, () => void over.push("after"));
  void systemClock.sleep(long).then(() => over.push("slept"));
  const limit = timeLimit(long);
  const endless = systemClock.after(Number.POSITIVE_INFINITY, () => void over.push("endless"));
  await vi.advanceTimersByTimeAsync(long - 1);
  expect([over, limit.aborted]).toEqual([[], false]);
  await vi.advanceTimersByTimeAsync(1);
  expect([over, limit.aborted]).toEqual([["after", "slept"], true]);
  endless();
  expect(vi.getTimerCount()).toBe(0);
});
