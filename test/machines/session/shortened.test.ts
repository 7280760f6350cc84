import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "../../../machines/exchange.ts";
import { MOST_REFUSED, shortened } from "../../../machines/session/shortened.ts";

const text = (words: string): Block => ({ type: "text", text: words });

test("a short prompt is kept as it is", () => {
  const blocks: Block[] = [text("/hullo"), { type: "resource_link", uri: "file:///a", name: "a" }];
  expect(shortened(blocks)).toEqual(blocks);
});

test("a long prompt is cut, and the missing characters are counted", () => {
  const [kept, note, ...more] = shortened([text("x".repeat(10_000)), text("y".repeat(500))]);
  expect(kept).toEqual(text("x".repeat(MOST_REFUSED - 20)));
  expect(note).toEqual(text(`… (${10_500 - MOST_REFUSED + 20} more characters were not kept)`));
  expect(more).toEqual([]);
});

test("a shortened prompt is bounded and holds whole characters, for any blocks", () => {
  const block: fc.Arbitrary<Block> = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 3_000 }).map(text),
    fc.string({ maxLength: 3_000 }).map((uri): Block => ({ type: "resource_link", uri, name: "n" })),
    fc.string({ maxLength: 3_000 }).map((value): Block => ({ type: "unknown", value })),
  );
  fc.assert(
    fc.property(fc.array(block, { maxLength: 200 }), (blocks) => {
      const kept = JSON.stringify(shortened(blocks));
      expect(kept.length).toBeLessThan(MOST_REFUSED * 8);
      expect(kept).not.toMatch(/\\ud[89ab][0-9a-f]{2}/);
    }),
  );
});
