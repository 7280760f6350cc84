import fc from "fast-check";
import { expect, it } from "vitest";
import { Nuls } from "../../../actors/process/nuls.ts";

it.each([
  ["a\0\0\0b\0c", "a␀b␀c"],
  ["\0", "␀"],
  ["plain\u0001\u001b[1m\n", "plain\u0001\u001b[1m\n"],
  ["", ""],
])("I1 %j", (text, shown) => expect(new Nuls().shown(text)).toBe(shown));

it("I1 is the same however the output is cut", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom("\0", "\0", "x", "\n") })), (pieces) => {
      const nuls = new Nuls();
      const shown = pieces.map((piece) => nuls.shown(piece)).join("");
      expect(shown).toBe(new Nuls().shown(pieces.join("")));
      expect(shown).toBe(pieces.join("").replace(/\0+/g, "␀"));
    }),
  );
});
