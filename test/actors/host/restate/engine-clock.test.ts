/** Covers `engine-clock.ts`. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { EngineClock } from "../../../../actors/host/restate/engine-clock.ts";

const START = Date.UTC(2026, 0, 1);
/** An engine whose clock is `ahead` of ours, and whose answers take `took` and come at `at`. */
function over(ahead: number) {
  let now = START;
  const clock = new EngineClock(() => now);
  const call = clock.hearing((async () => {
    const date = new Date(now + ahead).toUTCString();
    now += 40;
    return new Response(null, { headers: { date } });
  }) as typeof fetch);
  const wait = (ms: number): void => {
    now += ms;
  };
  return { clock, call: () => call("http://engine"), wait };
}

test("before an answer, and where answers say no time, delays are as they were asked", async () => {
  const clock = new EngineClock(() => START);
  await clock.hearing((async () => new Response(null)) as typeof fetch)("http://engine");
  expect(clock.delay(1_500)).toEqual({ milliseconds: 1_500 });
});

test("a clock that is right is not corrected, whenever answers come (I1)", async () => {
  const { clock, call, wait } = over(0);
  for (const ms of [0, 300, 777, 999, 1]) {
    wait(ms);
    await call();
    expect(clock.delay(5_000)).toEqual({ milliseconds: 5_000 });
  }
});

test("a delay is at most a second and an answer's time off, however far the engine's clock is (I1)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -1e8, max: 1e8 }),
      fc.array(fc.nat(3_000), { maxLength: 5 }),
      async (ahead, waits) => {
        const { clock, call, wait } = over(ahead);
        await call();
        for (const ms of waits) {
          wait(ms);
          await call();
        }
        const wanted = 2e8;
        expect(Math.abs(clock.delay(wanted).milliseconds - ahead - wanted)).toBeLessThanOrEqual(1_040);
      },
    ),
  );
});

test("where the engine is behind, a delay is never less than none", async () => {
  const { clock, call } = over(-3_600_000);
  await call();
  expect(clock.delay(1_000)).toEqual({ milliseconds: 0 });
});
