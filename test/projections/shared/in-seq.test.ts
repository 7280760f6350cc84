/** The order of a log where it is read: what passes, and what is an error. */
import fc from "fast-check";
import { from } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, test } from "vitest";
import { facesOf, UNMAPPED } from "../../../actors/errors/codes.ts";
import { troupeError } from "../../../actors/errors/troupe-error.ts";
import type { Frame } from "../../../machines/exchange.ts";
import { type Gaps, inSeq, OutOfOrder } from "../../../projections/shared/in-seq.ts";

const row = (seq: number): Frame => ({ seq, at: 0, type: "turn.started", payload: { turn: "t" } }) as unknown as Frame;
const live: Frame = {
  after: 0,
  type: "message.assistant",
  payload: { block: "b", offset: 0, text: "x" },
} as unknown as Frame;
const rows = (...seqs: number[]): readonly Frame[] => seqs.map(row);

const scheduled = (test: Parameters<TestScheduler["run"]>[0]): void =>
  void new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test);

test("batches in order pass as they are, live chunks among them", () => {
  scheduled(({ cold, expectObservable }) => {
    const batches = { a: rows(5, 6), b: [live], c: [row(7), live, row(8)] };
    expectObservable(cold("a-b-c|", batches).pipe(inSeq(4))).toBe("a-b-c|", batches);
  });
});

test("a gap is an error, and nothing behind it passes (I1)", () => {
  scheduled(({ cold, expectObservable }) => {
    const batches = { a: rows(1, 2), b: rows(5), c: rows(6) };
    expectObservable(cold("a-b-c|", batches).pipe(inSeq(0))).toBe("a-#", batches, new OutOfOrder(2, 5));
    expectObservable(cold("a|", { a: rows(2) }).pipe(inSeq(0))).toBe("#", {}, new OutOfOrder(0, 2));
    expectObservable(cold("a|", { a: rows(1, 3) }).pipe(inSeq(0))).toBe("#", {}, new OutOfOrder(1, 3));
  });
});

test("a step back is an error, and so is a row twice, also where gaps are reported (I1)", () => {
  scheduled(({ cold, expectObservable }) => {
    const batches = { a: rows(1, 2), b: rows(2), c: rows(1) };
    for (const gaps of ["refused", "reported"] satisfies Gaps[]) {
      expectObservable(cold("a-b|", batches).pipe(inSeq(0, gaps))).toBe("a-#", batches, new OutOfOrder(2, 2));
      expectObservable(cold("a-c|", batches).pipe(inSeq(0, gaps))).toBe("a-#", batches, new OutOfOrder(2, 1));
    }
  });
});

test("where the view tells of gaps they pass", () => {
  scheduled(({ cold, expectObservable }) => {
    const batches = { a: rows(1, 4), b: rows(9) };
    expectObservable(cold("a-b|", batches).pipe(inSeq(0, "reported"))).toBe("a-b|", batches);
  });
});

test("each reader begins anew", () => {
  const read$ = from([rows(1, 2)]).pipe(inSeq(0));
  for (let reader = 0; reader < 2; reader++) read$.subscribe((frames) => expect(frames).toEqual(rows(1, 2)));
});

test("what passes of any sequence of rows is its longest beginning without a gap or a step back", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 10 }), (seqs) => {
      const passed: number[] = [];
      let fault: unknown = null;
      from(seqs.map((seq) => rows(seq)))
        .pipe(inSeq(0))
        .subscribe({
          next: (frames) => passed.push(...frames.map((frame) => ("seq" in frame ? frame.seq : 0))),
          error: (error: unknown) => {
            fault = error;
          },
        });
      const broken = seqs.findIndex((seq, at) => seq !== at + 1);
      expect(passed).toEqual(broken < 0 ? seqs : seqs.slice(0, broken));
      expect(fault instanceof OutOfOrder).toBe(broken >= 0);
    }),
  );
});

describe("the error", () => {
  test("has a code that every face knows, and says which rows are missing", () => {
    const { code, message } = troupeError(new OutOfOrder(6, 9));
    expect(code).toBe("SYSTEM.LOG.OUT_OF_ORDER");
    expect(facesOf(code)).toEqual(facesOf(UNMAPPED));
    expect(message).toContain("rows 7 to 8");
    expect(troupeError(new OutOfOrder(6, 4)).message).toContain("came back to row 4");
  });
});
