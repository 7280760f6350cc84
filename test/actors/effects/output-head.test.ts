import fc from "fast-check";
import { expect, it } from "vitest";
import { OutputHead } from "../../../actors/effects/output-head.ts";

it("holds a prefix of whole characters, as long as fits (I1)", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.nat(40), (pieces, max) => {
      const kept = new OutputHead(max);
      for (const piece of pieces) kept.add(piece);
      const whole = pieces.join("");
      expect(whole.startsWith(kept.text)).toBe(true);
      expect(Buffer.byteLength(kept.text)).toBeLessThanOrEqual(max);
      const [next = ""] = whole.slice(kept.text.length);
      expect(Buffer.byteLength(kept.text + next) > max).toBe(next !== "");
      expect(kept.cut).toBe(next !== "");
    }),
  );
});
