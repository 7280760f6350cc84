/** Covers `usage-words.ts`, `last-lines.ts`. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { LastLines } from "../../../projections/runs/last-lines.ts";
import { usageWords } from "../../../projections/runs/usage-words.ts";

const words = (tokens: number, ...costs: [number, string][]) =>
  usageWords({ tokens, costs: costs.map(([amount, currency]) => ({ amount, currency })) } as never);

test("tokens and costs, where any are known", () => {
  expect([words(0), words(1), words(2)]).toEqual([[], ["1 token"], ["2 tokens"]]);
  expect(words(0, [0, "USD"], [0.12345, "USD"], [1, "USD"], [0.5, "EU\u202e"], [12.345, "EUR"])).toEqual([
    ...["$0.1235", "$1.00", "0.5000 EU\\u202e", "12.35 EUR"],
  ]);
});

const lines = (most: number, ...pieces: [offset: number, text: string, block?: string][]): string[] => {
  const last = new LastLines();
  for (const [offset, text, block = "b"] of pieces) last.see({ block, offset, text });
  return last.lines(most);
};

test("the last lines, without empty ones at the end and without what a carriage return took back", () => {
  expect(lines(2, [0, "1\n2\n"], [4, "3\n\n \n"])).toEqual(["2", "3"]);
  expect(lines(9, [0, "10 %\r20 %\r30 %\r\nnext\r\r\n"])).toEqual(["30 %", "next"]);
  expect([lines(9), lines(9, [0, " \n"])]).toEqual([[], []]);
});

test("a block that begins anew, and another one, take the place of what was said (I1)", () => {
  expect(lines(9, [0, "old\n"], [0, "new\n"])).toEqual(["new"]);
  expect(lines(9, [0, "old\n"], [7, "new\n", "c"])).toEqual(["new"]);
  expect(lines(9, [0, "old\n"], [4, "new\n"])).toEqual(["old", "new"]);
});

test("a bounded text is held, its end (I1)", () => {
  const held = (...pieces: string[]): string => {
    const offsets = pieces.map((_, at) => pieces.slice(0, at).join("").length);
    return lines(1e6, ...pieces.map((text, at): [number, string] => [offsets[at] ?? 0, text])).join("\n");
  };
  expect(held("a".repeat(20_000))).toBe("a".repeat(16_384));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 5 }), (sizes) => {
      const pieces = sizes.map((size, at) => String(at).repeat(size));
      expect(held(...pieces)).toBe(pieces.join("").slice(-16_384));
    }),
  );
});
