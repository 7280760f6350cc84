/** Covers `spoken.ts`: figures as people read them. */
import { expect, test } from "vitest";
import {
  agoText,
  countText,
  durationText,
  stateText,
  takenText,
  unansweredText,
  usageText,
} from "../../../projections/page/spoken.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [-5, "0 ms"],
  [0, "0 ms"],
  [339.6, "340 ms"],
  [999, "999 ms"],
  [1_000, "1.0 s"],
  [4_299, "4.2 s"],
  [59_999, "59.9 s"],
  [MINUTE, "1:00"],
  [65 * SECOND, "1:05"],
  [59 * MINUTE + 59 * SECOND, "59:59"],
  [HOUR, "1:00:00"],
  [2 * HOUR + 3 * MINUTE + 9 * SECOND, "2:03:09"],
  [100 * HOUR, "100:00:00"],
])("%d ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1.0k"],
  [4_149, "4.1k"],
  [999_949, "999.9k"],
  [999_950, "1.0M"],
  [1_234_567, "1.2M"],
])("%d is %s", (count, text) => {
  expect(countText(count)).toBe(text);
});

test("what was used, where anything was", () => {
  const used = (tokens: number, ...costs: { amount: number; currency: string }[]) =>
    usageText({ tokens, costs } as never);
  expect([used(0), used(1_500), used(0, { amount: 0.5, currency: "USD" })]).toEqual(["", "1.5k tokens", "0.500 USD"]);
  expect(used(5, { amount: 1, currency: "USD" }, { amount: 0.1, currency: "EUR" })).toBe(
    "5 tokens · 1.00 USD · 0.100 EUR",
  );
  expect([used(5, { amount: 0, currency: "USD" }), used(0, { amount: 0.0004, currency: "USD" })]).toEqual([
    ...["5 tokens", "0.00040 USD"],
  ]);
});

test("what was taken over", () => {
  const taken = (more: object) => takenText({ run: "r", from: "b", taken: [], ...more } as never);
  expect(taken({ from: null, taken: ["a"] })).toBe(" from the beginning");
  expect([taken({}), taken({ taken: ["a"] }), taken({ taken: ["a", "c"] })]).toEqual([
    ...[" from b", " from b, 1 step taken over", " from b, 2 steps taken over"],
  ]);
  expect(taken({ round: "b[2]", taken: ["a"], rounds: { taken: 1, of: 4 } })).toBe(
    " from b[2], 1 of 4 rounds taken over",
  );
});

test.each([
  [59 * SECOND, "just now"],
  [MINUTE, "1 min ago"],
  [HOUR - 1, "59 min ago"],
  [HOUR, "1 h ago"],
  [48 * HOUR - 1, "47 h ago"],
  [48 * HOUR, "2 d ago"],
])("%d ms ago: %s", (ms, text) => {
  expect(agoText(5_000, 5_000 + ms)).toBe(text);
});

test("states in words; what has none stands as it is", () => {
  expect(["idle", "passed", "taken", "parked", "waiting", "interrupted", "running"].map(stateText)).toEqual([
    ...["not reached", "not taken", "taken over", "waits for an answer", "waits for you", "cut off", "running"],
  ]);
});

test("a question without an answer is waited for, or was cut off, or its step went on without one", () => {
  const waits = [{ type: "permission", id: "p" }] as const;
  expect(unansweredText({ state: "waiting", waits }, "p")).toBe("not answered yet");
  expect(unansweredText({ state: "interrupted", waits }, "p")).toBe("not answered: the run was cut off");
  expect(unansweredText({ state: "failed", waits: [] }, "p")).toBe("not answered");
  expect(unansweredText({ state: "waiting", waits }, "other")).toBe("not answered");
});
