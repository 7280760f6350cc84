import { describe, expect, test } from "vitest";
import type { Exchange, Frame, Live } from "../../../machines/exchange.ts";
import { TextOffsets } from "../../../projections/acp/text-offsets.ts";

type Text = Parameters<TextOffsets["fresh"]>[1];
const WORDS = "abcdefghijkl";
const piece = (offset: number, end: number) => ({ block: "b", offset, text: WORDS.slice(offset, end) });
const row = (seq: number, offset: number, end: number): Exchange =>
  ({ seq, run: "r", type: "message.assistant", payload: piece(offset, end) }) as unknown as Exchange;
const live = (after: number, offset: number, end: number): Live =>
  ({ after, run: "r", type: "message.assistant", payload: piece(offset, end) }) as unknown as Live;
const freshOf = (frames: readonly Frame[], shown: { [block: string]: number } = {}): string[] => {
  const blocks = new TextOffsets(new Map(Object.entries(shown)));
  return frames.map((frame) => blocks.fresh(blocks.of(frame as Text), frame as Text));
};

describe("a block of text", () => {
  test("is given piece by piece, and no piece twice (I1)", () => {
    expect(freshOf([live(0, 0, 3), live(0, 3, 5), row(1, 0, 5), row(2, 5, 7)])).toEqual(["abc", "de", "", "fg"]);
    expect(freshOf([live(0, 0, 3), row(1, 0, 5)])).toEqual(["abc", "de"]);
    expect(freshOf([row(1, 0, 5)], { "r/b": 4 })).toEqual(["e"]);
  });
  test("waits for its row where a live chunk is beyond what was shown (I2)", () => {
    expect(freshOf([live(0, 0, 2), live(0, 4, 6), row(1, 0, 6)])).toEqual(["ab", "", "cdef"]);
    expect(freshOf([live(0, 4, 6), live(0, 6, 8), row(1, 0, 8)])).toEqual(["", "", "abcdefgh"]);
    expect(freshOf([live(3, 4, 6)], { "r/b": 3 })).toEqual([""]);
  });
  test("is given whole by a row beyond what was shown: what is before it was there before its reader (I2)", () => {
    expect(freshOf([row(9, 6, 9), live(9, 9, 12)])).toEqual(["ghi", "jkl"]);
  });
});
