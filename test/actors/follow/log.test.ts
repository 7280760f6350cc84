/** Covers `log.ts` and `followers.ts`: a log that cannot be read any more ends with its reason; who pauses a reader. */
import { expect, test } from "vitest";
import { Endings } from "../../../actors/follow/endings.ts";
import { logOf } from "../../../actors/follow/log.ts";
import { Followers } from "../../../actors/host/followers.ts";
import type { Host } from "../../../actors/host/host.ts";
import { ManualClock } from "../../support/manual-clock.ts";

const S = "session/s";
const BROKEN = Object.assign(new Error("disk I/O error"), { errcode: 10 });

test.each([false, true])("its reader hears why, and no other is told (alone: %s)", (alone) => {
  const warned: unknown[] = [];
  const followers = new Followers({
    page: (session) => {
      if (session === S) throw BROKEN;
      return { rows: [], isLast: true };
    },
    uncommitted: () => [],
    isAtHead: () => false,
    failed: (error) => warned.push(error),
    schedule: () => undefined,
  });
  const host = {
    follow: (session, { seq }, ...hearing) => followers.add(session, seq, ...hearing),
    listen: () => () => undefined,
  } as Pick<Host, "follow" | "listen">;
  const endings = new Endings(() => true, new ManualClock());
  const told: unknown[] = [];
  for (const session of [S, "session/other"] as const)
    logOf({ host, endings }, session, { alone }).subscribe({ error: (why) => told.push([session, why.code]) });
  followers.flush();
  expect(told).toEqual([[S, "SYSTEM.IO.WRITE_FAILED"]]);
  expect(warned).toEqual([BROKEN]);
  expect([followers.isWatched(S), followers.isWatched("session/other")]).toEqual([false, true]);
});

test("I1 a reader is paused by whatever can be subscribed to, and hears of it no more when it leaves", () => {
  const done: string[] = [];
  const follower = {
    pause: () => done.push("pause"),
    resume: () => done.push("resume"),
    close: () => done.push("close"),
  };
  const host = { follow: () => follower, listen: () => () => undefined } as unknown as Pick<Host, "follow" | "listen">;
  const endings = new Endings(() => true, new ManualClock());
  let says = (_isPaused: boolean): void => undefined;
  const paused$ = {
    subscribe: ({ next }: { next: (isPaused: boolean) => void }) => {
      says = next;
      return { unsubscribe: () => done.push("left") };
    },
  };
  const reading = logOf({ host, endings }, S, { paused$ }).subscribe();
  for (const isPaused of [true, true, false]) says(isPaused);
  expect(done).toEqual(["pause", "resume"]);
  reading.unsubscribe();
  expect(done.toSorted()).toEqual(["close", "left", "pause", "resume"]);
});
