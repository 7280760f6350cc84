import { expect, test } from "vitest";
import { type Painted, paintedLines } from "../../../projections/page/ansi.ts";

const PLAIN = { colour: null, ground: null, bold: false, dim: false, italic: false, underline: false };
/** The look that these codes lead to, without what is plain. */
function looks(codes: string): Partial<Painted> {
  const [[piece] = []] = paintedLines(`\u001b[${codes}mx`);
  const entries = Object.entries(piece ?? {}) as [keyof typeof PLAIN, unknown][];
  return Object.fromEntries(entries.filter(([name, value]) => value !== PLAIN[name]));
}
const textOf = (text: string): string[] => paintedLines(text).map((pieces) => pieces.map((one) => one.text).join(""));

test("weights are set, and taken back (I1)", () => {
  expect(["1", "2", "3", "4"].map(looks)).toEqual([
    { text: "x", bold: true },
    { text: "x", dim: true },
    { text: "x", italic: true },
    { text: "x", underline: true },
  ]);
  expect(looks("1;2;3;4;22")).toEqual({ text: "x", italic: true, underline: true });
  expect(looks("1;2;3;4;23")).toEqual({ text: "x", bold: true, dim: true, underline: true });
  expect(looks("1;2;3;4;24")).toEqual({ text: "x", bold: true, dim: true, italic: true });
  expect(["1;3;31;0", "1;3;31;", "5", "29", "108", "98"].map(looks)).toEqual(Array(6).fill({ text: "x" }));
});

test("the sixteen colours, of the text and behind it (I1)", () => {
  expect(["30", "37", "90", "97"].map((code) => looks(code).colour)).toEqual([0, 7, 8, 15]);
  expect(["40", "47", "100", "107"].map((code) => looks(code).ground)).toEqual([0, 7, 8, 15]);
  expect(looks("31;42;39")).toEqual({ text: "x", ground: 2 });
  expect(looks("31;42;49")).toEqual({ text: "x", colour: 1 });
});

test("of more colours the nearest of the sixteen, and what follows is read (I1)", () => {
  const colours = ["0", "15", "16", "21", "46", "196", "231", "232", "243", "244", "255"];
  expect(colours.map((index) => looks(`38;5;${index};1`))).toEqual(
    [0, 15, 0, 12, 10, 9, 15, 8, 8, 7, 7].map((colour) => ({ text: "x", colour, bold: true })),
  );
  const mixed = ["255;0;0", "0;200;0", "0;0;201", "47;47;47", "48;48;48", "120;60;61"];
  expect(mixed.map((rgb) => looks(`48;2;${rgb};1`))).toEqual(
    [9, 2, 12, 0, 7, 5].map((ground) => ({ text: "x", ground, bold: true })),
  );
});

test("values behind colons belong to their code, with a space of colours and without (I1)", () => {
  expect(["38:2::255:0:0;1", "38:2:255:0:0;1", "38:5:9;1"].map(looks)).toEqual(
    Array(3).fill({ text: "x", colour: 9, bold: true }),
  );
  expect(looks("48:2::0:0:201")).toEqual({ text: "x", ground: 12 });
  expect(["4:3", "4:3;4:0"].map(looks)).toEqual([{ text: "x", underline: true }, { text: "x" }]);
  // The colour of a line below is not shown, and its values are nothing else.
  expect(["58;5;1", "58;2;1;4;7", "58:2::1:4:7"].map(looks)).toEqual(Array(3).fill({ text: "x" }));
});

test("a look lasts over lines until it changes, each piece with its own", () => {
  expect(paintedLines("a\u001b[1mb\nc\u001b[0md")).toEqual([
    [
      { ...PLAIN, text: "a" },
      { ...PLAIN, text: "b", bold: true },
    ],
    [
      { ...PLAIN, text: "c", bold: true },
      { ...PLAIN, text: "d" },
    ],
  ]);
});

test("whatever else steers a terminal is left out, cut off too, and nothing is lost beside it (I1, I2)", () => {
  expect(textOf("a\u001b[2Jb\u001b]0;title\u0007c\u001b]8;;x\u001b\\d\u001bce\u0007f\u009bg")).toEqual(["abcdefg"]);
  expect(textOf("a\u001b[12")).toEqual(["a"]);
  expect(textOf("a\u001b]never ended")).toEqual(["a"]);
  expect(textOf("a\u202eb\tc")).toEqual(["a\\u202eb\tc"]);
});

test("a carriage return begins the line anew; one at its end does not (I3)", () => {
  expect(textOf("10 %\r50 %\u001b[1m\r100 %\r\nnext")).toEqual(["100 %", "next"]);
});

test("a line that ends with several, or with a colour behind one, is not lost (I3)", () => {
  expect(textOf("one\r\r\ntwo\r\u001b[0m\nthree\r\u001b[K\n4\r\u001b[31m5\u001b[0m\r")).toEqual([
    "one",
    "two",
    "",
    "5",
  ]);
});
