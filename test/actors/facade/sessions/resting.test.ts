/** Covers `resting.ts` I1: what is waited for, and what never is. */
import { expect, test } from "vitest";
import { Releases } from "../../../../actors/facade/releases.ts";
import type { Runtime } from "../../../../actors/facade/runtime.ts";
import { cancelSettled } from "../../../../actors/facade/sessions/resting.ts";
import { sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
const waits = async (reading: { value: string; isCancelling: boolean } | undefined, isOwn: boolean) => {
  const releases = new Releases();
  const host = { sessions: { read: () => reading, isOwn: () => isOwn } };
  const runtime = { host, releases } as unknown as Pick<Runtime, "host" | "releases">;
  let settled = false;
  const waiting = cancelSettled(runtime, S).then(() => {
    settled = true;
  });
  await new Promise(setImmediate);
  return { releases, waiting, waits: !settled };
};

test("a run that was cancelled here and ends here is waited for, until its session rests or is lost", async () => {
  for (const value of ["parked", "interrupted"]) {
    const one = await waits({ value, isCancelling: true }, true);
    expect(one.waits).toBe(true);
    one.releases.note(S);
    await one.waiting;
  }
});

test.each([
  ["no cancel", { value: "parked", isCancelling: false }, true],
  ["a turn that runs", { value: "prompted", isCancelling: true }, true],
  ["another process's, or an engine's worker's", { value: "parked", isCancelling: true }, false],
  ["no session", undefined, true],
])("nothing else is: %s", async (_, reading, isOwn) => {
  expect((await waits(reading, isOwn)).waits).toBe(false);
});

test("a cancel on its way is waited for, also where it fails", async () => {
  const releases = new Releases();
  const sent = Promise.withResolvers<void>();
  const cancelled = releases.cancels(S, sent.promise);
  let settled = false;
  const waiting = releases.cancelling(S).then(() => {
    settled = true;
  });
  await new Promise(setImmediate);
  expect(settled).toBe(false);
  sent.reject(new Error("the store is full"));
  await expect(cancelled).rejects.toThrow("full");
  await waiting;
  await releases.cancelling(S);
});
