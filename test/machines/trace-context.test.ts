import { expect, it } from "vitest";
import {
  attemptSpan,
  runSpan,
  sessionSpan,
  stepSpan,
  toolSpan,
  traceContextOf,
  traceIdOf,
  traceparentOf,
  turnSpan,
} from "../../machines/trace-context.ts";

const OUTER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

it("reads what W3C's example says, and writes it", () => {
  expect(traceContextOf(traceparentOf(OUTER))).toEqual(OUTER);
});

it.each([
  undefined,
  "",
  "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
  "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
  `00-0af7651916cd43dd8448eb211c80319c-${"0".repeat(16)}-01`,
  "00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01",
])("takes nothing from %s", (text) => {
  expect(traceContextOf(text)).toBeNull();
});

it("goes on in the trace of who started the process (I1)", () => {
  expect(traceIdOf("s", { outer: OUTER })).toBe(OUTER.traceId);
});

it("names the same things alike, others otherwise, in the digits that are asked for", () => {
  const ids = [
    sessionSpan("a"),
    turnSpan("a"),
    runSpan("a"),
    stepSpan("a", "b"),
    attemptSpan("a", "b", 1),
    attemptSpan("a", "b", 2),
    toolSpan("a", "b", "c"),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  expect(traceIdOf("s", { outer: null })).toMatch(/^[0-9a-f]{32}$/);
  expect(traceIdOf("s", { outer: null })).not.toBe(traceIdOf("t", { outer: null }));
  expect(attemptSpan("a", "b", 2)).toBe(attemptSpan("a", "b", 2));
});
