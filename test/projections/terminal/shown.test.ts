import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Shown } from "../../../projections/terminal/shown.ts";
import { said } from "./rows.ts";

type Piece = { live: boolean; offset: number; text: string };
const show = (pieces: readonly Piece[]): string[] => {
  const shown = new Shown();
  return pieces.map(({ live, offset, text }) => shown.fresh(said("a", offset, text), live));
};

describe("Shown", () => {
  const cases: readonly [string, Piece[], string[]][] = [
    [
      "rows alone",
      [
        { live: false, offset: 0, text: "ab" },
        { live: false, offset: 2, text: "c" },
      ],
      ["ab", "c"],
    ],
    [
      "live, then its row",
      [
        { live: true, offset: 0, text: "ab" },
        { live: false, offset: 0, text: "ab" },
      ],
      ["ab", ""],
    ],
    [
      "a row that says more than was shown",
      [
        { live: true, offset: 0, text: "ab" },
        { live: false, offset: 0, text: "abcd" },
      ],
      ["ab", "cd"],
    ],
    [
      "a gap is left to its row",
      [
        { live: true, offset: 3, text: "d" },
        { live: false, offset: 0, text: "abcd" },
      ],
      ["", "abcd"],
    ],
    [
      "live that overlaps",
      [
        { live: false, offset: 0, text: "abc" },
        { live: true, offset: 3, text: "d" },
      ],
      ["abc", "d"],
    ],
    [
      "I2 a block that begins anew",
      [
        { live: false, offset: 0, text: "ab" },
        { live: false, offset: 0, text: "ab" },
      ],
      ["ab", "ab"],
    ],
    [
      "I2 anew, live first",
      [
        { live: false, offset: 0, text: "abc" },
        { live: true, offset: 0, text: "x" },
        { live: false, offset: 0, text: "xy" },
      ],
      ["abc", "x", "y"],
    ],
    [
      "a block seen from its middle on",
      [
        { live: false, offset: 5, text: "fg" },
        { live: true, offset: 7, text: "h" },
      ],
      ["fg", "h"],
    ],
  ];
  it.each(cases)("%s", (_, pieces, shown) => {
    expect(show(pieces)).toEqual(shown);
  });

  it("I1 shows a text once, whatever live chunks were lost and wherever rows were cut", () => {
    const script = fc.record({
      text: fc.string({ minLength: 1, maxLength: 40 }),
      chunk: fc.integer({ min: 1, max: 5 }),
      perRow: fc.integer({ min: 1, max: 4 }),
      lost: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
    });
    fc.assert(
      fc.property(script, ({ text, chunk, perRow, lost }) => {
        const pieces: Piece[] = [];
        let committed = 0;
        for (let at = 0, count = 1; at < text.length; at += chunk, count++) {
          const said = text.slice(at, at + chunk);
          if (!lost[count % lost.length]) pieces.push({ live: true, offset: at, text: said });
          if (count % perRow !== 0) continue;
          pieces.push({ live: false, offset: committed, text: text.slice(committed, at + said.length) });
          committed = at + said.length;
        }
        if (committed < text.length) pieces.push({ live: false, offset: committed, text: text.slice(committed) });
        expect(show(pieces).join("")).toBe(text);
      }),
    );
  });
});
