import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refusals } from "../../../transports/serve/refusals.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("each reason is reported at once and then once a minute, with how often it came (I1)", () => {
  const lines: string[] = [];
  const refusals = new Refusals((line) => lines.push(line));
  for (let n = 0; n < 1_000; n++) refusals.note("refused a");
  refusals.note("refused b");
  expect(lines).toEqual(["refused a", "refused b"]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual(["again in the last minute: refused a (999 times)"]);
  vi.advanceTimersByTime(600_000);
  refusals.note("refused a");
  expect(lines.slice(3)).toEqual(["refused a"]);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(4);
});
