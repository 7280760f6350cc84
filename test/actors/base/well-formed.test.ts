import fc from "fast-check";
import { expect, test } from "vitest";
import { WholeCharacters, wellFormed } from "../../../actors/base/well-formed.ts";

const HALF = "\ud83d";

test("half of a character is exchanged, in texts and names, however deep", () => {
  const value = { [`a${HALF}`]: [{ b: `x${HALF}` }, 1, null], c: "😀" };
  expect(wellFormed(value)).toEqual({ "a\ufffd": [{ b: "x\ufffd" }, 1, null], c: "😀" });
});

test("what has none is the same object", () => {
  const value = { a: ["😀", { b: null }], c: 1 };
  expect(wellFormed(value)).toBe(value);
});

test("a text in pieces comes out as if it had come whole, in pieces of whole characters", () => {
  const unit = fc.constantFrom("a", "é", "\ud83d", "\ude00", "\ud83d\ude00");
  fc.assert(
    fc.property(fc.array(unit), fc.array(fc.nat(3)), (units, cuts) => {
      const text = units.join("");
      const characters = new WholeCharacters();
      const said: string[] = [];
      let at = 0;
      for (const cut of [...cuts, text.length]) {
        said.push(characters.push(text.slice(at, at + cut)));
        at += cut;
      }
      said.push(characters.end());
      expect(said.join("")).toBe(text.toWellFormed());
      expect(said.every((piece) => piece.isWellFormed())).toBe(true);
      expect(characters.holds).toBe(false);
    }),
  );
});
