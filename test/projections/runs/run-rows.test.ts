/** The rows of a run are read page by page; a page has 512. */
import { expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { rerunsOf, runRows } from "../../../projections/runs/run-rows.ts";

const PAGE = 512;
const note = (seq: number): Exchange => ({ seq, run: "r1", type: "notice", payload: {} }) as unknown as Exchange;
const rerun = (seq: number, run: string, by: string): Exchange =>
  ({ seq, run, type: "run.rerun", payload: { by } }) as unknown as Exchange;

/** A log that remembers what was asked of it. */
const logOf = (length: number, { firstSeq = 1, lastSeq = null as number | null, reruns = [] as Exchange[] } = {}) => {
  const all = Array.from({ length }, (_, i) => reruns.find(({ seq }) => seq === i + 1) ?? note(i + 1));
  const asked: number[] = [];
  const rows = (after: number, limit: number): readonly Exchange[] => {
    asked.push(after);
    return all.slice(after, after + limit);
  };
  return { asked, readable: { record: { firstSeq, lastSeq }, rows } };
};
const seqsOf = (rows: Iterable<Exchange>): number[] => [...rows].map(({ seq }) => seq);
const seqs = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test("a run that has ended is its rows from the first to the last, and nothing behind is read", () => {
  const { asked, readable } = logOf(2 * PAGE, { firstSeq: 3, lastSeq: 5 });
  expect(seqsOf(runRows(readable))).toEqual([3, 4, 5]);
  expect(asked).toEqual([2]);
});

test("a run that goes on is read to the log's end, over as many pages as there are", () => {
  const few = logOf(3, { firstSeq: 2 });
  expect(seqsOf(runRows(few.readable))).toEqual([2, 3]);
  expect(few.asked).toEqual([1]);
  const many = logOf(2 * PAGE + 1);
  expect(seqsOf(runRows(many.readable))).toEqual(seqs(1, 2 * PAGE + 1));
  expect(many.asked).toEqual([0, PAGE, 2 * PAGE]);
  const full = logOf(PAGE);
  expect(seqsOf(runRows(full.readable))).toEqual(seqs(1, PAGE));
  expect(full.asked).toEqual([0, PAGE]);
});

test("a run was done again by those whose rows say so behind its end, oldest first", () => {
  const reruns = [
    rerun(2, "r1", "too early"),
    rerun(9, "r1", "a"),
    rerun(10, "r2", "of another"),
    rerun(PAGE + 9, "r1", "b"),
  ];
  expect(rerunsOf(logOf(PAGE + 20, { reruns }).readable, "r1")).toEqual([]);
  const ended = logOf(PAGE + 20, { lastSeq: 5, reruns });
  expect(rerunsOf(ended.readable, "r1")).toEqual(["a", "b"]);
  expect(ended.asked).toEqual([5, PAGE + 5]);
});

test("what lies far behind a run's end is not looked for", () => {
  const pages = Math.ceil(20_000 / PAGE);
  const far = rerun(pages * PAGE + 2, "r1", "far");
  const log = logOf((pages + 1) * PAGE, { lastSeq: 1, reruns: [rerun(pages * PAGE + 1, "r1", "near"), far] });
  expect(rerunsOf(log.readable, "r1")).toEqual(["near"]);
  expect(log.asked.length).toBe(pages);
});
