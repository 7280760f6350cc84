/**
 * A run's log as it stands, to look into: how the run went at once, and what a step did on request.
 */
import type { z } from "zod";
import type { Exchange, RunLog } from "../../../actors/troupe.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { RowsQuery } from "../queries.ts";
import { Outline, Rows } from "../schemas.ts";

const PAGE = 512;
/** At most so many rows are read for one answer; it says where the next one begins. */
const MOST_LOOKED_AT = 20_000;
const MOST_ROWS = 5_000;
/** An answer ends behind the row that takes it over this. */
const MOST_CHARS = 4 * 1024 * 1024;

export const rows: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/api/runs/{run}/outline",
    id: "getOutline",
    tag: "Events",
    summary: "How a run went up to now: its log but for what its steps said and did, and the time of every row",
    answers: { 200: { description: "The outline", schema: Outline } },
    problems: [404],
    handle: async ({ troupe, params }) => {
      const { firstSeq, times, rows: found } = await (await troupe.log(params["run"] ?? "")).outline();
      const [startedAt = 0] = times;
      return { status: 200, body: { firstSeq, startedAt, times: times.map((at) => at - startedAt), rows: found } };
    },
  }),
  endpoint({
    method: "get",
    path: "/api/runs/{run}/rows",
    id: "getRows",
    tag: "Events",
    summary: "Rows that a run stands among, of one step where that is named",
    query: RowsQuery,
    answers: { 200: { description: "Rows, and where the next page begins", schema: Rows } },
    problems: [400, 404],
    handle: async ({ troupe, params, query }) => ({
      status: 200,
      body: pageOf(await troupe.log(params["run"] ?? ""), query),
    }),
  }),
];

function pageOf(log: RunLog, { after, until, step, of: asked }: z.output<typeof RowsQuery>): z.output<typeof Rows> {
  const { id, firstSeq, lastSeq } = log.record;
  // A run that is called may have a step of the same name.
  const of = asked ?? (step === undefined ? undefined : id);
  const end = Math.min(until ?? Number.MAX_SAFE_INTEGER, lastSeq ?? Number.MAX_SAFE_INTEGER);
  const found: Exchange[] = [];
  let last = Math.max(after ?? 0, firstSeq - 1);
  let chars = 0;
  for (let looked = 0; looked < MOST_LOOKED_AT; ) {
    const page = log.rows(last, PAGE);
    for (const row of page) {
      if (row.seq > end) return { rows: found, next: null };
      last = row.seq;
      looked += 1;
      if ((step !== undefined && row.step !== step) || (of !== undefined && row.run !== of)) continue;
      found.push(row);
      chars += JSON.stringify(row.payload).length;
      if (found.length === MOST_ROWS || chars > MOST_CHARS) return { rows: found, next: last };
    }
    if (page.length < PAGE) return { rows: found, next: null };
  }
  return { rows: found, next: last };
}
