import { beforeEach, expect, test } from "vitest";
import { BUSY_LIMIT_MS, CROWDED_LIMIT_MS, Patience, PatientWrites } from "../../../actors/host/patience.ts";
import type { Timeouts } from "../../../actors/host/timeouts.ts";
import { ManualClock } from "../../support/manual-clock.ts";

let clock: ManualClock;
let commits: number;
let again: number;
let patience: Patience;
beforeEach(() => {
  [clock, commits, again] = [new ManualClock(), 0, 0];
  patience = new Patience(
    clock as unknown as Timeouts,
    () => commits,
    () => again++,
  );
});
/** Waits once, and answers how long that was; null where it has waited too long. */
function wait(): number | null {
  if (!patience.wait()) return null;
  const ms = clock.next;
  clock.advance(ms);
  return ms;
}
/** Waits until it has taken too long. */
function whole(meanwhile = (): void => undefined): number {
  const began = clock.elapsed();
  while (wait() !== null) meanwhile();
  return clock.elapsed() - began;
}

test("it waits longer each time, up to a bound, and anew when the store was not busy", () => {
  expect([wait(), wait(), wait(), wait(), wait()]).toEqual([10, 20, 40, 50, 50]);
  patience.end();
  expect(wait()).toBe(10);
});

test("while it waits it says so, and when it is time it calls", async () => {
  await patience.over(); // it does not wait yet
  patience.wait();
  const over = patience.over();
  expect([patience.waits, again]).toEqual([true, 0]);
  clock.advance(10);
  expect([patience.waits, again]).toEqual([false, 1]);
  await over;
});

test("a store to which nobody commits is waited for to the limit, each time anew", () => {
  for (let i = 0; i < 2; i++) {
    const took = whole();
    expect(took).toBeGreaterThanOrEqual(BUSY_LIMIT_MS);
    expect(took).toBeLessThan(BUSY_LIMIT_MS + 50);
  }
});

test("what was waited before the store was free does not count", () => {
  for (let i = 0; i < 100; i++) wait();
  patience.end();
  expect(whole()).toBeGreaterThanOrEqual(BUSY_LIMIT_MS);
});

test("each commit of another gives more time, up to a limit of its own (I1)", () => {
  let waits = 0;
  const took = whole(() => {
    if (++waits % 100 === 0) commits++;
  });
  expect(took).toBeGreaterThanOrEqual(CROWDED_LIMIT_MS);
  expect(took).toBeLessThan(CROWDED_LIMIT_MS + 50);
});

test("the limit counts from the last commit, not from the first wait (I1)", () => {
  const began = clock.elapsed();
  while (clock.elapsed() - began < BUSY_LIMIT_MS / 2) wait();
  commits++;
  expect(whole()).toBeGreaterThanOrEqual(BUSY_LIMIT_MS);
});

test("writes are over when none waits any more, of those that are begun meanwhile either (I2)", async () => {
  const busy = new Set(["first", "second"]);
  const store = { stand: () => undefined, isBusy: () => true, foreignCommits: () => 0 };
  const writes = new PatientWrites(clock as unknown as Timeouts, store);
  const told: string[] = [];
  const write = (name: string): Promise<unknown> =>
    writes.write(() => {
      if (busy.has(name)) throw new Error("busy");
      told.push(name);
    });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  void write("first");
  await turn();
  const over = writes.over().then(() => told.push("over"));
  void write("second");
  await turn();
  busy.delete("first");
  clock.advance(10);
  await turn();
  expect(told).toEqual(["first"]);
  busy.delete("second");
  clock.advance(20);
  await over;
  expect(told).toEqual(["first", "second", "over"]);
});
