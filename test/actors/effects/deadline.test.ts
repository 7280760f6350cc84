import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { Deadline } from "../../../actors/effects/deadline.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const never = () => new AbortController().signal;

it("aborts when the time is up, and not before", () => {
  const clock = new ManualClock();
  const deadline = new Deadline(1000, clock);
  clock.advance(5000);
  const signal = deadline.start(never());
  clock.advance(999);
  expect([signal.aborted, deadline.isUp]).toEqual([false, false]);
  clock.advance(1);
  expect([signal.aborted, deadline.isUp]).toEqual([true, true]);
});

it("aborts with what its work is stopped by, for that reason: its time is not up then", () => {
  const [before, later] = [new AbortController(), new AbortController()];
  before.abort("stopped");
  const early = new Deadline(1000, new ManualClock());
  expect(early.start(before.signal)).toMatchObject({ aborted: true, reason: "stopped" });
  const deadline = new Deadline(null, new ManualClock());
  const signal = deadline.start(later.signal);
  expect(signal.aborted).toBe(false);
  later.abort("no more");
  expect([signal.aborted, signal.reason, deadline.isUp, early.isUp]).toEqual([true, "no more", false, false]);
});

it("follows nothing any more once it is closed (I2)", () => {
  const outer = new AbortController();
  const deadline = new Deadline(1000, new ManualClock());
  const signal = deadline.start(outer.signal);
  deadline.close();
  outer.abort();
  expect(signal.aborted).toBe(false);
  expect(getEventListeners(outer.signal, "abort")).toEqual([]);
});

it("does not count the time in which questions wait for their answers (I1)", async () => {
  const clock = new ManualClock();
  const deadline = new Deadline(1000, clock);
  const signal = deadline.start(never());
  clock.advance(600);
  const [one, two] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const answers = [deadline.outside(one.promise), deadline.outside(two.promise)];
  clock.advance(5000);
  one.resolve("yes");
  expect(await answers[0]).toBe("yes");
  clock.advance(5000);
  two.resolve("no");
  expect(await answers[1]).toBe("no");
  clock.advance(399);
  expect(signal.aborted).toBe(false);
  clock.advance(1);
  expect(signal.aborted).toBe(true);
});

it("leaves no timer when it is closed (I2), and makes none without a limit", async () => {
  const clock = new ManualClock();
  const deadline = new Deadline(1000, clock);
  deadline.start(never());
  expect(clock.timers).toBe(1);
  const wait = Promise.withResolvers<void>();
  const outside = deadline.outside(wait.promise);
  deadline.close();
  wait.resolve();
  await outside;
  const none = new Deadline(null, clock);
  none.start(never());
  await none.outside(Promise.resolve());
  expect(clock.timers).toBe(0);
});
