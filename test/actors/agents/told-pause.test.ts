/** Times in the words of providers: `actors/agents/told-pause.ts`. */
import { expect, test } from "vitest";
import { toldPause } from "../../../actors/agents/told-pause.ts";

const NOON = new Date(2026, 0, 2, 12, 0, 0).getTime();
const [S, M, H, D] = [1000, 60_000, 3_600_000, 86_400_000] as const;

test.each([
  ["You've hit your usage limit. Try again in 2 days 3 hours 5 minutes.", 2 * D + 3 * H + 5 * M],
  ["Please retry in 34.07s.", 34_070],
  ["Your quota will reset after 2h3m5s.", 2 * H + 3 * M + 5 * S],
  ["Rate limit reached for gpt-4o on tokens per min. Please try again in 20ms. Visit https://x", 20],
  ["Too many requests, retry after 30 seconds", 30 * S],
  ["429 retry-after: 30", 30 * S],
  ["Please wait 2 minutes and 10 seconds before you ask again", 2 * M + 10 * S],
  ["try again at 3:05 PM.", 3 * H + 5 * M],
  ["try again at 11:00", 23 * H],
  ["You've hit your limit · resets 5pm", 5 * H],
  ["You've hit your limit · resets 5pm (no/such place)", 5 * H],
  ["You've hit your limit · resets 5pm (no/such-place)", 5 * H],
  ["resets at 3:30 a.m.", 15 * H + 30 * M],
  ["Try again at 12am", 12 * H],
  ["try again at Jan 5th, 2026 3:05 PM.", 3 * D + 3 * H + 5 * M],
  ["Your limit resets January 3, 1pm", D + H],
  ["resets on Jan 1 at 11am", 364 * D - H],
  ["resets Jan 2 at 11am", 0],
  ["try again at Dec 1st, 2025 3:05 PM.", 0],
  [`resets at ${new Date(NOON + H).toISOString()}`, H],
])("%s", (words, ms) => {
  expect(toldPause(words, NOON)).toBe(ms);
});

test.each([
  ...[
    "too many",
    "retry 1 of 4",
    "retry 3/5",
    "Retry 3 / 5 failed",
    "try again in a few minutes",
    "quota exceeded for 5 requests a minute",
  ],
  "Retrying in 5 s",
])("%s: no time", (words) => {
  expect(toldPause(words, NOON)).toBeNull();
});

const ON = (text: string): number => Date.parse(text);
test.each([
  ["resets 5pm (Europe/Berlin)", "2026-01-02T12:00:00Z", "2026-01-02T16:00:00Z"],
  ["resets 5pm (Europe/Berlin)", "2026-01-02T16:00:00Z", "2026-01-03T16:00:00Z"],
  ["resets 1am (America/New_York)", "2026-07-02T03:30:00Z", "2026-07-02T05:00:00Z"],
  ["resets 12am (Asia/Kolkata)", "2026-01-02T12:00:20Z", "2026-01-02T18:30:00Z"],
  ["resets 8:30am (America/Argentina/Buenos_Aires)", "2026-01-02T12:00:00Z", "2026-01-03T11:30:00Z"],
  ["Resets Jan 5, 9am (Asia/Tokyo)", "2026-01-02T12:00:00Z", "2026-01-05T00:00:00Z"],
  ["resets Jan 1 at 2am (Pacific/Auckland)", "2025-12-31T12:00:00Z", "2025-12-31T13:00:00Z"],
  // The clocks are changed on the way there.
  ["resets 9am (Europe/Berlin)", "2026-03-28T12:00:00Z", "2026-03-29T07:00:00Z"],
  ["resets 9am (Europe/Berlin)", "2026-10-24T12:00:00Z", "2026-10-25T08:00:00Z"],
  ["try again at 3:04 PM UTC", "2026-01-02T12:00:00Z", "2026-01-02T15:04:00Z"],
  ["try again at 15:04 GMT", "2026-01-02T12:00:00Z", "2026-01-02T15:04:00Z"],
  ["resets 3 a.m. (UTC)", "2026-01-02T12:00:00Z", "2026-01-03T03:00:00Z"],
])("%s, at %s: until %s, wherever this machine is", (words, now, until) => {
  expect(new Date(ON(now) + (toldPause(words, ON(now)) ?? 0)).toISOString()).toBe(new Date(until).toISOString());
});
