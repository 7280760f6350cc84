import { afterEach, expect, test, vi } from "vitest";
import { openTelemetry } from "../../../transports/telemetry/telemetry.ts";

afterEach(() => vi.restoreAllMocks());

test.each([
  ["-5", 60_000],
  ["Infinity", 60_000],
  ["1e12", 60_000],
  ["soon", 60_000],
  ["5000", 5_000],
])("an interval of %s sends every %i ms", async (OTEL_METRIC_EXPORT_INTERVAL, ms) => {
  const set = vi.spyOn(globalThis, "setInterval");
  const reporter = openTelemetry(
    { traces: false, metrics: true },
    { environment: { OTEL_METRIC_EXPORT_INTERVAL }, version: "1", warn: () => undefined },
  );
  expect(set.mock.calls.map(([, every]) => every)).toEqual([ms]);
  await reporter.closed?.();
});
