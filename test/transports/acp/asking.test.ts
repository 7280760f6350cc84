import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asking, GRACE_MS } from "../../../transports/acp/asking.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request, what the client hears of its end, and its answer. */
function asked() {
  const wanted = new AbortController();
  const answer = Promise.withResolvers<string>();
  const told: string[] = [];
  const given = asking(wanted.signal, ({ cancellationSignal }) => {
    cancellationSignal.addEventListener("abort", () => told.push("withdrawn"));
    return answer.promise;
  });
  return { wanted, answer, told, given };
}

test("an answer is handed on", async () => {
  const { answer, told, given, wanted } = asked();
  answer.resolve("yes");
  expect(await given).toBe("yes");
  wanted.abort();
  vi.advanceTimersByTime(GRACE_MS);
  expect(told).toEqual([]);
});

test("the caller waits no longer, and the client hears of it after the grace (I1, I2)", async () => {
  const { wanted, told, given } = asked();
  wanted.abort(new Error("over"));
  await expect(given).rejects.toThrow("over");
  vi.advanceTimersByTime(GRACE_MS - 1);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["withdrawn"]);
});

test("a client that answers in the grace hears nothing (I2)", async () => {
  const { wanted, answer, told, given } = asked();
  wanted.abort(new Error("over"));
  await expect(given).rejects.toThrow("over");
  answer.resolve("cancelled");
  await vi.advanceTimersByTimeAsync(GRACE_MS);
  expect(told).toEqual([]);
});

test("what is not wanted is not asked", async () => {
  let isAsked = false;
  const given = asking(AbortSignal.abort(new Error("over")), async () => {
    isAsked = true;
  });
  await expect(given).rejects.toThrow("over");
  expect(isAsked).toBe(false);
});
