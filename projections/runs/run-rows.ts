/** The rows that a run stands among, read to its end as of now. */
import type { Exchange } from "../../machines/exchange.ts";

const PAGE = 512;
/** Rows behind a run's end that are looked through for those that did it again. */
const MOST_BEHIND = 20_000;

/** `firstSeq` and `lastSeq`: the run's first row and, once it has ended, its last. `rows`: those behind a seq, oldest first. */
type Readable = {
  record: { firstSeq: number; lastSeq: number | null };
  rows: (after: number, limit: number) => readonly Exchange[];
};

export function* runRows({ record, rows }: Readable): Generator<Exchange> {
  for (let last = record.firstSeq - 1; ; ) {
    const page = rows(last, PAGE);
    for (const row of page) {
      if (record.lastSeq !== null && row.seq > record.lastSeq) return;
      yield row;
    }
    if (page.length < PAGE) return;
    last = page.at(-1)?.seq ?? last;
  }
}

/** The runs that did it again, oldest first: their rows stand behind its end. */
export function rerunsOf({ record: { lastSeq }, rows }: Readable, run: string): string[] {
  const found: string[] = [];
  if (lastSeq === null) return found;
  for (let last = lastSeq, seen = 0; seen < MOST_BEHIND; seen += PAGE) {
    const page = rows(last, PAGE);
    for (const row of page) if (row.type === "run.rerun" && row.run === run) found.push(row.payload.by);
    if (page.length < PAGE) break;
    last = page.at(-1)?.seq ?? last;
  }
  return found;
}
