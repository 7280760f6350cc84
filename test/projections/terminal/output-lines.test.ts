import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputLines } from "../../../projections/terminal/output-lines.ts";

const linesOf = (pieces: readonly string[], most?: number) => {
  const output = new OutputLines(most);
  return [...pieces.flatMap((piece) => output.push(piece)), output.open];
};

describe("OutputLines", () => {
  it.each([
    ["one\ntwo", ["one", "two"]],
    ["1%\r2%\r3%\nnext\n", ["3%", "next", ""]],
    ["\r1%\r2%", ["2%"]],
    ["1%\r2%\r", ["2%"]],
    ["dos\r\nlines\r\n", ["dos", "lines", ""]],
    ["long line\r\u001b[K\u001b[32mok\u001b[0m\n", ["ok", ""]],
    ["\u001b]0;title\u0007text\n", ["text", ""]],
    ["\r\n\r\n", ["", "", ""]],
  ])("%j", (text, lines) => {
    expect(linesOf([text])).toEqual(lines);
  });

  it("a line that is closed is given once, and what comes begins another", () => {
    const output = new OutputLines();
    expect([
      output.push("one\ntw"),
      output.close(),
      output.close(),
      output.push("o\rO\nthree"),
      output.close(),
    ]).toEqual([...[["one"], "tw", "", ["O"], "three"]]);
  });

  it.each([
    ["abcdef\ngh", ["abc", "gh"]],
    ["abcdef\rxyzzy", ["xyz"]],
  ])("I2 %j, of which three are held", (text, lines) => {
    expect(linesOf([text], 3)).toEqual(lines);
    expect(linesOf([...text], 3)).toEqual(lines);
  });

  it("I3 gives a line that is too long out in parts, wherever it was cut, and breaks no character", () => {
    const text = `${"x".repeat(65_535)}😀${"y".repeat(70_000)}\rz\nend\n`;
    const given = (chunks: readonly string[]) => {
      const output = new OutputLines();
      return chunks.flatMap((chunk) => output.pieces(chunk));
    };
    const whole = given([text]);
    expect(whole.map(({ text: { length }, ends }) => [length, ends])).toEqual([
      [65_535, false],
      [65_536, false],
      [1, true],
      [3, true],
    ]);
    expect(whole.map((piece) => piece.text).every((piece) => piece.isWellFormed())).toBe(true);
    expect(given(text.match(/[\s\S]{1,997}/gu) ?? [])).toEqual(whole);
  });

  it("I1 does not depend on how the text was cut", () => {
    const texts = fc.array(fc.constantFrom("a", "b", "\r", "\n", "\u001b[K", "\u001b]", "\u0007"), { maxLength: 30 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(40)), (parts, cuts) => {
        const whole = parts.join("");
        const ends = [...cuts.filter((at) => at < whole.length), whole.length].sort((a, b) => a - b);
        const pieces = ends.map((end, index) => whole.slice(ends[index - 1] ?? 0, end));
        expect(linesOf(pieces)).toEqual(linesOf([whole]));
      }),
    );
  });
});
