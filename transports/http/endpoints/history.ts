/** What has ended, and figures about it. */
import { z } from "zod";
import type { RunRecord, Troupe } from "../../../actors/troupe.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { HistoryQuery, MAX_LIMIT } from "../queries.ts";

const SHOWN = 50;
const ENDS = ["completed", "failed", "cancelled", "skipped"] as const;
const isEnd = (status: string): status is (typeof ENDS)[number] => (ENDS as readonly string[]).includes(status);
/** Who asks for AWF's `success` means what is completed. */
const meant = (status: string): string => (status === "success" ? "completed" : status);

const Entry = z.object({
  id: z.string(),
  workflow_name: z.string(),
  status: z.string(),
  started_at: z.string(),
  completed_at: z.string(),
  duration_ms: z.number(),
});
const Stats = z.object({
  total_executions: z.number(),
  completed_count: z.number(),
  failed_count: z.number(),
  cancelled_count: z.number(),
  skipped_count: z.number(),
  avg_duration_ms: z.number().describe("Of all that have ended, cancelled ones too, as AWF has it."),
});

const entryOf = ({ id, workflow, status, startedAt, endedAt }: RunRecord) => ({
  id,
  workflow_name: workflow,
  status,
  started_at: new Date(startedAt).toISOString(),
  completed_at: new Date(endedAt ?? startedAt).toISOString(),
  duration_ms: (endedAt ?? startedAt) - startedAt,
});

type Query = z.output<typeof HistoryQuery>;
async function ended(troupe: Troupe, { workflow, status, since, until }: Query, limit: number): Promise<RunRecord[]> {
  const asked = status === undefined ? undefined : meant(status);
  if (asked !== undefined && !isEnd(asked)) return [];
  const given = {
    ...(workflow === undefined ? {} : { workflow }),
    ...(asked === undefined ? {} : { status: asked }),
    ...(since === undefined ? {} : { since: Date.parse(since) }),
    ...(until === undefined ? {} : { until: Date.parse(until) }),
  };
  return await troupe.history({ open: false, limit, ...given });
}

function statsOf(runs: readonly RunRecord[]): z.output<typeof Stats> {
  const count = (status: string): number => runs.filter((run) => run.status === status).length;
  const total = runs.reduce((sum, { startedAt, endedAt }) => sum + (endedAt ?? startedAt) - startedAt, 0);
  return {
    total_executions: runs.length,
    completed_count: count("completed"),
    failed_count: count("failed"),
    cancelled_count: count("cancelled"),
    skipped_count: count("skipped"),
    avg_duration_ms: runs.length === 0 ? 0 : Math.round(total / runs.length),
  };
}

export const history: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/api/history",
    id: "listHistory",
    tag: "History",
    summary: "Runs that have ended, newest first",
    query: HistoryQuery,
    answers: { 200: { description: "The list", schema: z.looseObject({ entries: z.array(Entry) }) } },
    problems: [400],
    handle: async ({ troupe, query }) => {
      const found = await ended(troupe, query, query.limit ?? SHOWN);
      return { status: 200, body: { entries: found.map(entryOf) } };
    },
  }),
  endpoint({
    method: "get",
    path: "/api/history/stats",
    id: "historyStats",
    tag: "History",
    summary: `Figures of the latest ${MAX_LIMIT} runs that are meant and have ended`,
    query: HistoryQuery,
    answers: { 200: { description: "The figures", schema: Stats } },
    problems: [400],
    handle: async ({ troupe, query }) => ({ status: 200, body: statsOf(await ended(troupe, query, MAX_LIMIT)) }),
  }),
];
