/** The rows that a run stands among, read to its end as of now. */
import type { Exchange } from "../../machines/exchange.ts";

const PAGE = 512;

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
