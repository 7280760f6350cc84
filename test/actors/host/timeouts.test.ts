import { beforeEach, expect, test } from "vitest";
import { Timeouts } from "../../../actors/host/timeouts.ts";
import { ManualClock } from "../../support/manual-clock.ts";

let clock: ManualClock;
let timeouts: Timeouts;
let rung: string[];
beforeEach(() => {
  clock = new ManualClock();
  timeouts = new Timeouts(Object.assign(clock, { now: () => 1_000 + clock.elapsed() }));
  rung = [];
});
const ring = (name: string, ms: number) => timeouts.after(ms, () => rung.push(name));

test("both times are the clock's own", () => {
  clock.advance(7);
  expect([timeouts.now(), timeouts.elapsed()]).toEqual([1_007, 7]);
});

test("what waits is called once, at its time", () => {
  ring("late", 20);
  ring("early", 10);
  clock.advance(10);
  expect(rung).toEqual(["early"]);
  clock.advance(100);
  expect(rung).toEqual(["early", "late"]);
});

test("what was taken back is not called, whenever it is taken back", () => {
  const [stop, another] = [ring("stopped", 10), ring("heard", 10)];
  stop();
  expect(clock.timers).toBe(1);
  clock.advance(10);
  another();
  stop();
  expect(rung).toEqual(["heard"]);
});

test("a host that stops takes back all that waits, and nothing waits after it", () => {
  for (const name of ["a", "b"]) ring(name, 10);
  timeouts.stop();
  expect(clock.timers).toBe(0);
  const stop = ring("after", 10);
  expect(clock.timers).toBe(0);
  stop();
  clock.advance(10);
  expect(rung).toEqual([]);
});

/** Of how many timers of the clock a stop asks for the end, when so many were set. */
test("a stop asks for the end of those alone that still wait", () => {
  const ended: number[] = [];
  let set = 0;
  const acts: (() => void)[] = [];
  const counted = new Timeouts({
    now: () => 0,
    elapsed: () => 0,
    after: (_, act) => {
      const n = set++;
      acts.push(act);
      return () => ended.push(n);
    },
  });
  const stops = [0, 1, 2].map(() => counted.after(1, () => undefined));
  acts[0]?.();
  stops[1]?.();
  expect(ended).toEqual([1]);
  counted.stop();
  expect(ended).toEqual([1, 2]);
});
