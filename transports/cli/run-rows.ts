/** The rows that a run stands among, read to its end as of now. */
import type { Exchange, RunLog } from "../../actors/troupe.ts";

const PAGE = 512;

export function* runRows({ record, rows }: Pick<RunLog, "record" | "rows">): Generator<Exchange> {
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
