/** The log that a run stands in, read only. */
import { setImmediate } from "node:timers/promises";
import { CONTENT, type Exchange } from "../../machines/exchange.ts";
import type { RunLog, RunOutline, Session } from "../api/facade.ts";
import type { RunRecord } from "../api/records.ts";
import type { Host } from "../host/host.ts";

/** So many rows are looked at in one turn of the event loop. */
const PIECE = 20_000;

export const runLog = (
  host: Pick<Host, "head" | "outline">,
  record: RunRecord,
  session: Pick<Session, "head" | "rows" | "log$">,
): RunLog => ({
  record,
  head: () => session.head(),
  rows: (after, limit) => session.rows(after, limit),
  log$: (options) => session.log$(options),
  outline: () => outlineOf(host, record),
});

async function outlineOf(
  host: Pick<Host, "head" | "outline">,
  { session, firstSeq, lastSeq }: RunRecord,
): Promise<RunOutline> {
  const key = `session/${session}` as const;
  const end = lastSeq ?? host.head(key);
  const times: number[] = [];
  const rows: Exchange[] = [];
  for (let after = firstSeq - 1; after < end; after += PIECE) {
    const piece = host.outline({ session: key, after, until: Math.min(end, after + PIECE) }, CONTENT);
    times.push(...piece.times);
    rows.push(...piece.rows);
    await setImmediate();
  }
  return { firstSeq, times, rows };
}
