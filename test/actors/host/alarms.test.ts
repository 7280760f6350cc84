import { beforeEach, expect, test } from "vitest";
import { Alarms, type Due, dueTimers, LONGEST_SLEEP_MS } from "../../../actors/host/alarms.ts";
import type { Storage } from "../../../actors/host/storage.ts";
import type { Key } from "../../../machines/model.ts";
import { sessionKey } from "../../support/host-machines.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const [S, OTHER] = [sessionKey("s"), sessionKey("other")];
let clock: ManualClock & { day: number; now: () => number };
let alarms: Alarms;
let fired: string[];
beforeEach(() => {
  const manual = new ManualClock();
  clock = Object.assign(manual, { day: 1_000, now: (): number => clock.day + manual.elapsed() });
  fired = [];
  alarms = new Alarms(clock, ({ key, id }) => fired.push(`${key} ${id}`));
});
const due = (id: string, at = 0, key: Key = S): Due => ({ key, id, at, event: { type: "rang" } });
/** Sets one that rings after so many milliseconds. */
function set(id: string, ms: number, key: Key = S): Due {
  const one = due(id, clock.now() + ms, key);
  alarms.set(one, ms);
  return one;
}
/** What fires in so many milliseconds. */
function after(ms: number): string[] {
  clock.advance(ms);
  return fired.splice(0);
}

test("timers fire at their times, the earliest first, with one timeout of the clock", () => {
  for (const [id, ms] of [
    ["late", 30],
    ["early", 10],
    ["same", 30],
    ["first", 5],
  ] as const)
    set(id, ms);
  expect([clock.timers, clock.next]).toEqual([1, 5]);
  expect(after(4)).toEqual([]);
  expect(after(1)).toEqual([`${S} first`]);
  expect([clock.timers, clock.next]).toEqual([1, 5]);
  expect(after(5)).toEqual([`${S} early`]);
  expect([clock.timers, clock.next]).toEqual([1, 20]);
  expect(after(20)).toEqual([`${S} late`, `${S} same`]);
  expect(clock.timers).toBe(0);
});

test("of timers that came due together the one that was due first fires first", () => {
  set("second", 20);
  set("first", 10);
  expect(after(30)).toEqual([`${S} first`, `${S} second`]);
});

test("one that is later than what waits sets no timeout of its own", () => {
  set("a", 10);
  let timeouts = 0;
  const { after: real } = clock;
  Object.assign(clock, {
    after: (ms: number, act: () => void) => {
      timeouts++;
      return real(ms, act);
    },
  });
  set("b", 10);
  set("c", 20);
  expect(timeouts).toBe(0);
  set("d", 9);
  expect([timeouts, clock.timers]).toEqual([1, 1]);
});

test("one far away is looked at again each minute, and fires at its time", () => {
  set("far", LONGEST_SLEEP_MS + 5);
  expect(clock.next).toBe(LONGEST_SLEEP_MS);
  expect(after(LONGEST_SLEEP_MS)).toEqual([]);
  expect(clock.next).toBe(5);
  expect(after(5)).toEqual([`${S} far`]);
});

test("it fires once, also when its mail is still under way as another one rings", () => {
  set("slow", 10);
  set("next", 20);
  expect(after(10)).toEqual([`${S} slow`]);
  expect(after(10)).toEqual([`${S} next`]);
});

test("I2: a delay is a delay, whatever becomes of the machine's clock", () => {
  set("a", 10);
  clock.day += 1_000_000;
  expect(after(9)).toEqual([]);
  expect(after(1)).toEqual([`${S} a`]);
});

test("I1: what another process has set is due by the time of day; what was due before fires at once", () => {
  alarms.restore(due("later", clock.now() + 10));
  alarms.restore(due("overdue", clock.now() - 500));
  expect(clock.next).toBe(0);
  expect(after(0)).toEqual([`${S} overdue`]);
  expect(after(9)).toEqual([]);
  expect(after(1)).toEqual([`${S} later`]);
});

test("I2: what was reset and comes back from its row keeps its delay; another of its name does not", () => {
  const [one, another] = [set("a", 10), set("b", 10)];
  clock.advance(4);
  alarms.reset();
  expect(clock.timers).toBe(0);
  clock.day += 1_000;
  alarms.restore(one);
  expect(clock.next).toBe(6);
  alarms.restore({ ...another, at: clock.now() + 30 });
  expect(after(6)).toEqual([`${S} a`]);
  expect(clock.next).toBe(24);
});

test("I2: so does what was reset twice before it came back: the store could not be read in between", () => {
  const one = set("a", 10);
  clock.advance(4);
  for (const _ of ["first", "again"]) alarms.reset();
  clock.day += 1_000;
  alarms.restore(one);
  expect(clock.next).toBe(6);
});

test("after a reset nothing fires, and what is set then has its own timeout", () => {
  set("a", 10);
  alarms.reset();
  alarms.reset();
  expect(after(10)).toEqual([]);
  set("b", 20);
  expect(clock.next).toBe(20);
});

test("I3: what was cleared does not fire, and is not cleared twice", () => {
  for (const id of ["a", "b"]) set(id, 10);
  expect([alarms.clear(S, "a"), alarms.clear(S, "a"), alarms.clear(OTHER, "b")]).toEqual([true, false, false]);
  expect(after(10)).toEqual([`${S} b`]);
});

test("a key's timers go together, and a key without any has none to clear", () => {
  for (const id of ["a", "b"]) set(id, 10);
  set("c", 10, OTHER);
  expect([alarms.clearKey(S), alarms.clearKey(S)]).toEqual([true, false]);
  set("d", 10);
  alarms.clear(S, "d");
  expect(alarms.clearKey(S)).toBe(false);
  expect(after(10)).toEqual([`${OTHER} c`]);
});

test("timers of some keys are dropped, those of others stay", () => {
  set("a", 10);
  set("b", 10, OTHER);
  alarms.drop((key) => key === S);
  expect(after(10)).toEqual([`${OTHER} b`]);
});

test("I3: mail of a timer that was replaced or cleared meanwhile is not taken; another is, once", () => {
  const [replaced, taken, cleared] = [set("a", 1), set("b", 1), set("c", 1)];
  expect(after(1)).toHaveLength(3);
  const next = set("a", 5);
  alarms.clear(S, "c");
  expect([replaced, taken, taken, cleared].map((one) => alarms.take(one))).toEqual([false, true, false, false]);
  expect(alarms.take(due("none", 0, OTHER))).toBe(false);
  expect(after(5)).toEqual([`${S} a`]);
  expect(alarms.take(next)).toBe(true);
});

test("stored timers are those of whom they are asked for, with their secrets revealed", () => {
  const whose: unknown[] = [];
  const timers = {
    of: (one: unknown) => {
      whose.push(one);
      return [{ key: S, id: "t", due: 7, event: "hidden" }];
    },
  };
  const store = { timers, mask: { reveal: (text: string) => ({ type: `${text} before` }) } } as unknown as Storage;
  expect(dueTimers(store, { session: S })).toEqual([{ key: S, id: "t", at: 7, event: { type: "hidden before" } }]);
  expect(whose).toEqual([{ session: S }]);
});
