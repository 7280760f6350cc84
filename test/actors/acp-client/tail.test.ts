import fc from "fast-check";
import { expect, test } from "vitest";
import { Tail } from "../../../actors/acp-client/tail.ts";

test("keeps the last bytes, and never half a character (I1)", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.integer({ min: 1, max: 40 }), (parts, max) => {
      const tail = new Tail(max);
      for (const part of parts) tail.push(part);
      const whole = Buffer.from(parts.join(""));
      expect(tail.bytes).toBe(Buffer.byteLength(tail.text));
      expect(tail.bytes).toBeLessThanOrEqual(max);
      expect(whole.subarray(whole.length - tail.bytes).toString()).toBe(tail.text);
      // Nothing is cut off that would fit: at most the rest of one character is missing.
      expect(tail.isCut).toBe(whole.length > max);
      if (tail.isCut) expect(tail.bytes).toBeGreaterThan(max - 4);
      else expect(tail.bytes).toBe(whole.length);
    }),
    { numRuns: 300 },
  );
});

test("many small pieces are kept as one", () => {
  const tail = new Tail(1000);
  for (let i = 0; i < 5000; i++) tail.push("é");
  expect(tail.text).toBe("é".repeat(500));
});
