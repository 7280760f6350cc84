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

test("what is cleared is gone", () => {
  const tail = new Tail(true);
  tail.add("a");
  tail.clear();
  expect(tail.show()).toBeNull();
  tail.add("b");
  expect(tail.show()).toBe("```\nb\n```");
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
