/** Covers `resting.ts` I1: what is waited for, and what never is. */
import { expect, test } from "vitest";
import { Releases } from "../../../../actors/facade/releases.ts";
import type { Runtime } from "../../../../actors/facade/runtime.ts";
import { cancel } from "../../../../actors/facade/sessions/resting.ts";
import { sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
type Reading = { value: string; isCancelling: boolean } | undefined;

/** A cancel of a session that stands so once it is durable; whether what comes after it still waits then. */
async function cancelled(reading: Reading, isOwn: boolean, sent: Promise<unknown> = Promise.resolve()) {
  const releases = new Releases();
  const host = { send: () => sent, sessions: { read: () => reading, isOwn: () => isOwn } };
  const delivery = cancel({ host, releases } as unknown as Pick<Runtime, "host" | "releases">, S);
  await new Promise(setImmediate);
  return { releases, delivery };
}

test.each(["parked", "interrupted"])(
  "a run that was %s and ends here is waited for, until its session rests",
  async (value) => {
    const { releases } = await cancelled({ value, isCancelling: true }, true);
    const waiting = releases.cancelling(S);
    expect(waiting).toBeDefined();
    releases.note(S);
    await waiting;
    expect(releases.cancelling(S)).toBeUndefined();
  },
);

test.each<[string, Reading, boolean]>([
  ["no run that waits", { value: "idle", isCancelling: false }, true],
  ["a turn that runs", { value: "prompted", isCancelling: true }, true],
  ["another process's, or an engine's worker's", { value: "parked", isCancelling: true }, false],
  ["no session", undefined, true],
])("nothing else is: %s", async (_, reading, isOwn) => {
  expect((await cancelled(reading, isOwn)).releases.cancelling(S)).toBeUndefined();
});

test("a cancel on its way is waited for, also where it fails", async () => {
  const sent = Promise.withResolvers<void>();
  const { releases, delivery } = await cancelled({ value: "idle", isCancelling: false }, true, sent.promise);
  const waiting = releases.cancelling(S);
  expect(waiting).toBeDefined();
  sent.reject(new Error("the store is full"));
  await expect(delivery).rejects.toThrow("full");
  await waiting;
  expect(releases.cancelling(S)).toBeUndefined();
});
