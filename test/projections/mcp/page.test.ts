import fc from "fast-check";
import { expect, test } from "vitest";
import { pageOf } from "../../../projections/mcp/page.ts";

test("a page ends with a whole character, and the pages are the text (I1, I2)", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "é", "😀") }), fc.integer({ min: 2, max: 5 }), (text, most) => {
      const pages: string[] = [];
      for (let from: number | undefined = 0; from !== undefined; ) {
        const page = pageOf(text, from, most);
        pages.push(page.text);
        from = page.next;
      }
      expect(pages.filter((page) => !page.isWellFormed() || page.length > most)).toEqual([]);
      expect(pages.join("")).toBe(text);
    }),
  );
});

test("a beginning within a character, or behind the end, is none that breaks", () => {
  expect(pageOf("a😀b", 2, 9)).toEqual({ text: "😀b", characters: 4 });
  expect(pageOf("a😀b", 9, 9)).toEqual({ text: "", characters: 4 });
});
