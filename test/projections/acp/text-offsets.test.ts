import { describe, expect, test } from "vitest";
import type { Exchange, Frame, Live } from "../../../machines/exchange.ts";
import { Ahead, TextOffsets } from "../../../projections/acp/text-offsets.ts";

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

describe("blocks", () => {
  const of = (run: string | undefined, block: string, text: string): Text =>
    ({
      seq: 1,
      ...(run === undefined ? {} : { run }),
      type: "message.assistant",
      payload: { block, offset: 0, text },
    }) as unknown as Text;
  test("are told apart by their name and by their run, in whatever order they speak", () => {
    const blocks = new TextOffsets(new Map());
    const said = [of("r", "a", "1"), of("r", "b", "2"), of("s", "b", "3"), of(undefined, "b", "4"), of("r", "a", "12")];
    expect(said.map((row) => blocks.fresh(blocks.of(row), row))).toEqual(["1", "2", "3", "4", "2"]);
    expect(said.map((row) => blocks.of(row))).toEqual([
      { id: "r/a", shown: 2 },
      { id: "r/b", shown: 1 },
      { id: "s/b", shown: 1 },
      { id: "b", shown: 1 },
      { id: "r/a", shown: 2 },
    ]);
  });
  test("begin anew once they are forgotten", () => {
    const blocks = new TextOffsets(new Map([["r/a", 1]]));
    const row = of("r", "a", "12");
    expect(blocks.fresh(blocks.of(row), row)).toBe("2");
    blocks.clear();
    expect(blocks.fresh(blocks.of(row), row)).toBe("12");
  });
});

describe("a reader that was ahead", () => {
  test("gets of a text what it has not had, and all that comes behind it", () => {
    const ahead = new Ahead(new Map([["r/a", 4]]));
    expect(ahead.beyond({ id: "r/b", shown: 3 }, "abc")).toBe("abc");
    expect(ahead.beyond({ id: "r/a", shown: 3 }, "abc")).toBe("");
    expect(ahead.beyond({ id: "r/a", shown: 6 }, "def")).toBe("ef");
    expect(ahead.beyond({ id: "r/a", shown: 8 }, "gh")).toBe("gh");
    expect(ahead.beyond({ id: "r/a", shown: 3 }, "abc")).toBe("abc");
  });
});
