import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DURATION_PATTERN, durationMs, sizeBytes } from "../../../machines/workflow/duration.ts";

describe("durationMs", () => {
  it.each([
    [5, 5_000],
    [0.5, 500],
    ["90", 90_000],
    ["1.5", 1_500],
    ["500ms", 500],
    ["1m30s", 90_000],
    ["1.5h", 5_400_000],
    ["2h3m4s5ms", 7_384_005],
    ["100us", 0.1],
    ["0", 0],
  ])("%s is %d ms", (given, expected) => {
    expect(durationMs(given)).toBeCloseTo(expected, 6);
  });

  it.each(["", "soon", "5 s", "-5s", "5d", "s", "1m30", ".", "5s!"])("%j is no duration", (given) => {
    expect(durationMs(given)).toBeNull();
  });

  it("reads back what is written, unit by unit", () => {
    fc.assert(
      fc.property(fc.nat(99), fc.nat(59), fc.nat(59), fc.nat(999), (h, m, s, ms) => {
        const text = `${h}h${m}m${s}s${ms}ms`;
        expect(DURATION_PATTERN.test(text)).toBe(true);
        expect(durationMs(text)).toBe(((h * 60 + m) * 60 + s) * 1_000 + ms);
      }),
    );
  });
});

describe("sizeBytes", () => {
  it.each([
    [1024, 1024],
    ["10MB", 10 * 1024 * 1024],
    ["512 kb", 512 * 1024],
    ["1.5K", 1536],
    ["2GiB", 2 * 1024 ** 3],
    ["7B", 7],
    ["lots", null],
    ["-1", null],
  ])("%s is %s bytes", (given, expected) => {
    expect(sizeBytes(given)).toBe(expected);
  });
});
