import { expect, test } from "vitest";
import { Semaphore } from "../../../actors/acp-client/semaphore.ts";

test("never more than max are in; the others enter in their order (I1)", async () => {
  const gate = new Semaphore(2);
  const entered: number[] = [];
  const releases = await Promise.all([gate.acquire(), gate.acquire()]);
  const waiting = [3, 4].map(async (n) => {
    const release = await gate.acquire();
    entered.push(n);
    return release;
  });
  expect(gate).toMatchObject({ inUse: 2, waiting: 2 });
  releases[0]?.();
  releases[0]?.(); // I3
  const third = await waiting[0];
  expect(entered).toEqual([3]);
  expect(gate).toMatchObject({ inUse: 2, waiting: 1 });
  third?.();
  releases[1]?.();
  (await waiting[1])?.();
  expect(gate).toMatchObject({ inUse: 0, waiting: 0 });
});

test("S16: a waiter that is cancelled takes no permit, and those behind it continue (I2)", async () => {
  const gate = new Semaphore(1);
  const release = await gate.acquire();
  const cancel = new AbortController();
  const cancelled = gate.acquire(cancel.signal);
  const next = gate.acquire();
  cancel.abort();
  await expect(cancelled).rejects.toMatchObject({ type: "cancelled" });
  await expect(gate.acquire(cancel.signal)).rejects.toMatchObject({ type: "cancelled" });
  release();
  const last = await next;
  expect(gate).toMatchObject({ inUse: 1, waiting: 0 });
  last();
  expect(gate.inUse).toBe(0);
});
