/** Covers `log.ts` and `followers.ts`: a log that cannot be read any more ends with its reason. */
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
