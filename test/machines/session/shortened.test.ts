/** Covers `shortened.ts`: what is kept of a prompt that was explained. */
import { expect, test } from "vitest";
import type { Block } from "../../../machines/exchange.ts";
import { MOST_REFUSED, shortened } from "../../../machines/session/shortened.ts";

const text = (length: number): Block => ({ type: "text", text: "x".repeat(length) });
const left = (count: number): Block => ({ type: "text", text: `… (${count} more characters were not kept)` });
const BLOCK = 20;

test("what fits is kept as it is", () => {
  const blocks = [text(100), text(MOST_REFUSED - 100 - 2 * BLOCK)];
  expect(shortened(blocks)).toEqual(blocks);
  expect(shortened([])).toEqual([]);
});

test("a text is cut, and what is left out is counted (I1)", () => {
  const room = MOST_REFUSED - BLOCK;
  expect(shortened([text(room + 1)])).toEqual([text(room), left(1)]);
  expect(shortened([text(1_000), text(1_000), text(5)])).toEqual([text(1_000), text(room - 1_000 - BLOCK), left(45)]);
  expect(shortened([text(room - 1), text(30)])).toEqual([text(room - 1), left(30)]);
});

test("no half of a character is kept (I1)", () => {
  const room = MOST_REFUSED - BLOCK;
  const [cut, rest] = shortened([{ type: "text", text: `${"x".repeat(room - 1)}😀` }]);
  expect([cut, rest]).toEqual([text(room - 1), left(2)]);
});

test("each kind of block takes the room of all that it says", () => {
  const blocks: [Block, number][] = [
    [{ type: "resource_link", uri: "u".repeat(30), name: "n".repeat(10) } as Block, 40],
    [{ type: "resource", uri: "u".repeat(30), text: "t".repeat(100) } as Block, 130],
    [{ type: "image", id: "i", mimeType: "image/png" } as unknown as Block, 0],
    [{ type: "audio", id: "i", mimeType: "audio/wav" } as unknown as Block, 0],
    [{ type: "diff", path: "p".repeat(5), newText: "n".repeat(7), oldText: "o".repeat(11) } as Block, 23],
    [{ type: "diff", path: "p".repeat(5), newText: "n".repeat(7), oldText: null } as Block, 12],
    [{ type: "terminal", terminal: "t".repeat(9) } as Block, 9],
    [{ type: "unknown", value: { a: "b" } } as Block, 9],
  ];
  for (const [block, size] of blocks) {
    const most = MOST_REFUSED - size - 2 * BLOCK;
    expect(shortened([block, text(most)])).toEqual([block, text(most)]);
    expect(shortened([block, text(most + 1)])).toEqual([block, text(most), left(1)]);
    expect(shortened([text(MOST_REFUSED - BLOCK), block])).toEqual([
      text(MOST_REFUSED - BLOCK),
      ...(size === 0 ? [] : [left(size)]),
    ]);
  }
});
