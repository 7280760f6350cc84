import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_TAIL_BYTES, Tail } from "../../../projections/acp/tail.ts";

const shown = (fenced: boolean, ...texts: string[]): string | null => {
  const tail = new Tail(fenced);
  for (const text of texts) tail.add(text);
  return tail.show();
};

test.each([
  [true, "", null],
  [true, "a\n", "```\na\n```"],
  [true, "a", "```\na\n```"],
  [true, "```js\n```\n", "````\n```js\n```\n````"],
  [false, "**a**", "**a**"],
])("fenced: %s, %j", (fenced, text, expected) => {
  expect(shown(fenced, text)).toBe(expected);
});

test("a long text is cut at a line's start, and says so (I2)", () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join("");
  const lines = shown(true, text)?.split("\n") ?? [];
  expect(lines.slice(0, 2)).toEqual(["```", "… (earlier output is not shown)"]);
  expect(lines[2]).toMatch(/^line \d+$/);
  expect(lines.slice(-2)).toEqual(["line 19999", "```"]);
});

test.each([
  ["\u001b[31mred\u001b[0m \u001b]0;title\u0007and\u0008 back", "red and back"],
  ["10%\r50%\r100%\r\nnext\r\n", "100%\nnext"],
  ["a\u202eb", "a\\u202eb"],
  ["waits \u001b[3", "waits "],
])("output is text, without what steers a terminal (I3): %j", (text, expected) => {
  expect(shown(true, text)).toBe(`\`\`\`\n${expected}\n\`\`\``);
  expect(shown(false, text)).toBe(text);
});

test("output that is nothing but steering shows nothing (I3)", () => {
  expect(shown(true, "\u001b[?25l")).toBeNull();
});

test("what is written out counts (I1)", () => {
  const text = shown(true, "\u202e".repeat(MAX_TAIL_BYTES / 3)) ?? "";
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_TAIL_BYTES);
});

test("what is cleared is gone", () => {
  const tail = new Tail(true);
  tail.add("a");
  tail.clear();
  expect(tail.show()).toBeNull();
  tail.add("b");
  expect(tail.show()).toBe("```\nb\n```");
});

const NOTE = "… (earlier output is not shown)\n";
/** Room for a fence and the note. */
const LIMIT = MAX_TAIL_BYTES - 256;

test("of a text without lines as much is shown as there is room for, of whatever size its characters are (I2)", () => {
  const unit = fc.constantFrom(
    "x",
    "\u007f",
    "\u0080",
    "é",
    "\u07ff",
    "\u0800",
    "漢",
    "\ue000",
    "\uffff",
    "𝄞",
    "\u{10ffff}",
  );
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 9 }), fc.constantFrom("", "x", "xx", "xxx"), (units, end) => {
      const text = `x${units.join("").repeat(LIMIT)}${end}`;
      const characters = [...text.slice(-2 * LIMIT)];
      let bytes = 0;
      let first = characters.length;
      for (; first > 0; first--) {
        bytes += Buffer.byteLength(characters[first - 1] ?? "");
        if (bytes > LIMIT) break;
      }
      expect(shown(false, text) === NOTE + characters.slice(first).join("")).toBe(true);
    }),
    { numRuns: 25 },
  );
});

test("what fits is shown whole, to the last byte, and not a byte more (I1)", () => {
  for (const one of ["x", "é", "漢", "𝄞"]) {
    const fits = one.repeat(LIMIT / Buffer.byteLength(one));
    expect(shown(false, fits) === fits).toBe(true);
    expect(shown(false, `a${fits}`) === NOTE + fits).toBe(true);
  }
});

test("half a pair is cut off like any other character", () => {
  const low = "\udc00".repeat(LIMIT);
  expect(shown(false, low)?.length).toBe(NOTE.length + Math.floor(LIMIT / 3));
});

test.each([
  [1023, true],
  [1024, false],
])("a line that begins %i behind the cut is begun with: %s (I2)", (behind, isBegun) => {
  const end = "y".repeat(LIMIT - behind - 1);
  const text = `${"x".repeat(LIMIT)}${"x".repeat(behind)}\n${end}`;
  expect(shown(false, text)?.startsWith(`${NOTE}y`)).toBe(isBegun);
});

test("never more than the limit, never half a character, always the end (I1, I2)", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.constantFrom("`".repeat(70), "é".repeat(30_000), "𝄞".repeat(20_000), "x".repeat(70_000), "\n"),
  );
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), fc.boolean(), (texts, fenced) => {
      const view = shown(fenced, ...texts) ?? "";
      expect(Buffer.byteLength(view)).toBeLessThanOrEqual(MAX_TAIL_BYTES);
      expect(view.isWellFormed()).toBe(true);
      const whole = texts.join("");
      const end = [...whole].slice(-20).join("");
      expect(view.includes(end)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
