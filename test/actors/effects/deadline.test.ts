import { expect, it } from "vitest";
import type { Pace } from "../../../actors/base/clock.ts";
import { Deadline } from "../../../actors/effects/deadline.ts";
import { ManualClock } from "../../support/manual-clock.ts";

function clocked() {
  const manual = new ManualClock();
  const clock: Pace = {
    elapsed: manual.elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener("abort", manual.after(ms, resolve));
      }),
  };
  /** Time passes, and what waited for it has run. */
  const pass = async (ms: number): Promise<void> => {
    manual.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, pass, manual };
}

it("aborts when the time is up, and not before", async () => {
  const { clock, pass } = clocked();
  const deadline = new Deadline(1000, clock);
  const { signal } = deadline;
  await pass(5000);
  deadline.start();
  await pass(999);
  expect(signal.aborted).toBe(false);
  await pass(1);
  expect(signal.aborted).toBe(true);
});

it("does not count the time in which questions wait for their answers (I1)", async () => {
  const { clock, pass } = clocked();
  const deadline = new Deadline(1000, clock);
  deadline.start();
  await pass(600);
  const [one, two] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const answers = [deadline.outside(one.promise), deadline.outside(two.promise)];
  await pass(5000);
  one.resolve("yes");
  expect(await answers[0]).toBe("yes");
  await pass(5000);
  two.resolve("no");
  expect(await answers[1]).toBe("no");
  await pass(399);
  expect(deadline.signal.aborted).toBe(false);
  await pass(1);
  expect(deadline.signal.aborted).toBe(true);
});

it("leaves no timer when it is closed (I2), and makes none without a limit", async () => {
  const { clock, manual } = clocked();
  const deadline = new Deadline(1000, clock);
  deadline.start();
  expect(manual.timers).toBe(1);
  const wait = Promise.withResolvers<void>();
  const outside = deadline.outside(wait.promise);
  deadline.close();
  wait.resolve();
  await outside;
  const none = new Deadline(null, clock);
  none.start();
  await none.outside(Promise.resolve());
  expect(manual.timers).toBe(0);
});
