/** Covers `announcer.ts`: a directory that could not be listed at first. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Troupe } from "../../../actors/troupe.ts";
import { Announcer } from "../../../transports/acp/announcer.ts";

const demo = { id: "demo", name: "demo", description: "Shows", version: null, source: "troupe", file: null } as const;
let failures: number;
let listed: number;
let told: { session: string; names: string[] }[];
/** What becomes of the next watches. */
let watches: string[];
let announcer: Announcer;
const list: Troupe["list"] = async () => {
  listed += 1;
  if (listed <= failures) throw new Error("too many open files");
  return [{ ...demo, inputs: [], fault: null }];
};
const watch = (): (() => void) => {
  if (watches.shift() === "fails") throw new Error("too many watches");
  return () => undefined;
};
const troupe = { list, watch } as Partial<Troupe> as Troupe;

beforeEach(() => {
  vi.useFakeTimers();
  failures = 1;
  listed = 0;
  told = [];
  watches = [];
  const update = (session: string, { availableCommands = [] }: { availableCommands?: { name: string }[] }): void => {
    told.push({ session, names: availableCommands.map(({ name }) => name) });
  };
  announcer = new Announcer({ update }, async () => troupe);
});
afterEach(() => {
  announcer.close();
  vi.useRealTimers();
});

test("is looked at again by itself, and its commands are announced (I6)", async () => {
  announcer.announce("s", "/w");
  await vi.advanceTimersByTimeAsync(200);
  expect(told.splice(0)).toEqual([{ session: "s", names: [] }]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told).toEqual([{ session: "s", names: ["demo", "rerun"] }]);
});

test("is listed anew for the answer of a first prompt (I5, I6)", async () => {
  announcer.announce("one", "/w");
  announcer.announce("two", "/w");
  await announcer.settled("one");
  await announcer.settled("two");
  expect(told).toEqual([
    { session: "one", names: [] },
    { session: "two", names: ["demo", "rerun"] },
  ]);
});

test("that could not be watched is watched with the next turn, or by the next session, and then once (I6)", async () => {
  failures = 0;
  watches = ["fails", "fails", "is watched", "a second one"];
  announcer.announce("s", "/w");
  await vi.advanceTimersByTimeAsync(200);
  announcer.check("s");
  await vi.advanceTimersByTimeAsync(200);
  announcer.announce("t", "/w");
  await vi.advanceTimersByTimeAsync(200);
  announcer.check("s");
  await vi.advanceTimersByTimeAsync(200);
  expect(watches).toEqual(["a second one"]);
});

test("is asked for once more, and not for ever; not at all once its client has gone (I6)", async () => {
  failures = Number.POSITIVE_INFINITY;
  announcer.announce("s", "/w");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(listed).toBe(2);
  announcer.announce("t", "/w");
  await vi.advanceTimersByTimeAsync(50);
  announcer.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([listed, vi.getTimerCount()]).toEqual([3, 0]);
});
