/** `projections/page/scheduled.ts`: what stands beside a workflow on the page. */
import { expect, test } from "vitest";
import { type Scheduled, scheduledText } from "../../../projections/page/scheduled.ts";

const HOUR = 3_600_000;
const view = (more: Partial<Scheduled>): Scheduled => ({
  ...{ workflow: "nightly", isHere: true, off: null, enabledAt: 1, next: 3 * HOUR },
  on: { times: [{ cron: "0 6 * * *", zone: "UTC" }], files: null, missed: "tell", overlap: "skip", inputs: {} },
  ...more,
});
const served = { now: HOUR, isServed: true };

test.each([
  ["enabled", {}, served, "starts by itself: 0 6 * * * UTC · next in 2:00:00"],
  ["without a next time", { next: null }, served, "starts by itself: 0 6 * * * UTC"],
  [
    "not served",
    { next: null },
    { ...served, isServed: false },
    "starts by itself: 0 6 * * * UTC · nothing serves it now: troupe serve --schedules",
  ],
  [
    "off",
    { off: { at: 1, why: "changed", files: ["/repo/a.sh"] } as const },
    served,
    "off: changed since it was enabled: /repo/a.sh",
  ],
  [
    "never enabled",
    { enabledAt: null },
    served,
    "can start by itself (0 6 * * * UTC): troupe schedules enable nightly",
  ],
])("%s", (_, more, at, words) => {
  expect(scheduledText(view(more as Partial<Scheduled>), at)).toBe(words);
});
