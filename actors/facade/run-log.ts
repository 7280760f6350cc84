/** The log that a run stands in, read only. */
import type { RunLog, Session } from "../api/facade.ts";
import type { RunRecord } from "../api/records.ts";

export const runLog = (record: RunRecord, session: Pick<Session, "head" | "rows" | "log$">): RunLog => ({
  record,
  head: () => session.head(),
  rows: (after, limit) => session.rows(after, limit),
  log$: (options) => session.log$(options),
});
