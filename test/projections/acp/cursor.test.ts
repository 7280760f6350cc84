import fc from "fast-check";
import { of } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, test } from "vitest";
import type { Exchange, Frame, Live } from "../../../machines/exchange.ts";
import { type CursorPlace, cursorPlaces } from "../../../projections/acp/cursor.ts";
import { TextOffsets } from "../../../projections/acp/text-offsets.ts";

const RUN = "r";
const text = (offset: number, end: number): { block: string; offset: number; text: string } => ({
  block: "b",
  offset,
  text: Array.from({ length: end - offset }, (_, i) => String.fromCharCode(97 + ((offset + i) % 26))).join(""),
});
const row = (seq: number, offset: number, end: number): Exchange =>
  ({ seq, run: RUN, type: "message.assistant", payload: text(offset, end) }) as unknown as Exchange;
const live = (after: number, offset: number, end: number): Live =>
  ({ after, run: RUN, type: "message.assistant", payload: text(offset, end) }) as unknown as Live;

const START: CursorPlace = { seq: 0, shown: {} };
const placeAfter = (from: CursorPlace, ...frames: Frame[]): CursorPlace => {
  let place = from;
  of(frames)
    .pipe(cursorPlaces(from, from.seq))
    .subscribe((at) => {
      place = at;
    });
  return place;
};
/** What a client of this cursor is shown of the frames: the projection's own rule. */
const shownOf = ({ shown }: CursorPlace, frames: readonly Frame[]): string => {
  const blocks = new TextOffsets(new Map(Object.entries(shown)));
  return frames
    .map((frame) => frame as Frame & Live)
    .map((frame) => blocks.fresh(blocks.of(frame), frame))
    .join("");
};

describe("a cursor", () => {
  test("I1: counts live text until its row has come", () => {
    expect(placeAfter(START, live(0, 0, 3), live(0, 3, 5))).toEqual({ seq: 0, shown: { "r/b": 5 } });
    expect(placeAfter(START, live(0, 0, 5), row(1, 0, 3))).toEqual({ seq: 1, shown: { "r/b": 5 } });
    expect(placeAfter(START, live(0, 0, 5), row(1, 0, 5))).toEqual({ seq: 1, shown: {} });
  });
  test("I3: does not count live text that was skipped, since its beginning is unknown here", () => {
    expect(placeAfter({ seq: 1, shown: {} }, live(1, 5, 9))).toEqual({ seq: 1, shown: {} });
  });
  test("I2: comes once the rows behind the client were read, one place for each batch", () => {
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ cold, expectObservable }) => {
      const batches = { a: [row(3, 0, 2)], b: [row(4, 2, 4), live(4, 4, 6)], c: [live(4, 6, 7)], d: [row(5, 4, 7)] };
      const places$ = cold("abcd|", batches).pipe(cursorPlaces({ seq: 4, shown: {} }, 2));
      expectObservable(places$).toBe("-bcd|", {
        b: { seq: 4, shown: { "r/b": 6 } },
        c: { seq: 4, shown: { "r/b": 7 } },
        d: { seq: 5, shown: {} },
      });
    });
  });

  // A block of text, spoken piece by piece and committed now and then, to a client that is cut whenever it likes.
  const step = fc.constantFrom("speak", "commit", "cut");
  test("leads through any text without a gap or a repeat, however it is cut", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const rows: Exchange[] = [];
        let [spoken, kept] = ["", ""];
        let [end, committed] = [0, 0];
        let place = START;
        let seen: Frame[] = [];
        const cut = (): void => {
          kept += shownOf(place, seen);
          place = placeAfter(place, ...seen);
          const missed = rows.slice(place.seq);
          seen = end > committed ? [...missed, live(rows.length, committed, end)] : missed;
        };
        for (const what of steps) {
          if (what === "speak") {
            seen.push(live(rows.length, end, end + 2));
            spoken += text(end, end + 2).text;
            end += 2;
          } else if (what === "commit" && end > committed) {
            const next = row(rows.length + 1, committed, end);
            committed = end;
            rows.push(next);
            seen.push(next);
          } else if (what === "cut") cut();
        }
        if (end > committed) {
          const last = row(rows.length + 1, committed, end);
          rows.push(last);
          seen.push(last);
        }
        kept += shownOf(place, seen);
        expect(kept).toBe(spoken);
      }),
      { numRuns: 500 },
    );
  });
});
