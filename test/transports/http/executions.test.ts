/** AWF's list of what has not ended. */
import { expect, test } from "vitest";
import type { HistoryQuery, RunRecord, Troupe } from "../../../actors/troupe.ts";
import type { EndpointCall } from "../../../transports/http/endpoint.ts";
import { executions } from "../../../transports/http/endpoints/executions.ts";

test("asks for what is open, not for the latest: a parked run is listed behind a thousand that have ended", async () => {
  const runs = [...Array.from({ length: 1_000 }, (_, n) => n), null].map((endedAt, n) => ({
    ...{ id: `r${n}`, workflow: "w", status: endedAt === null ? "parked" : "completed", questions: [] },
    ...{ startedAt: 0, endedAt },
  })) as unknown as RunRecord[];
  const history = async ({ open, limit = 20 }: HistoryQuery): Promise<RunRecord[]> =>
    runs.filter(({ endedAt }) => open === undefined || (endedAt === null) === open).slice(0, limit);
  const list = executions.find(({ id }) => id === "listExecutions");
  const said = await list?.handle({ troupe: { history } as unknown as Troupe } as EndpointCall);
  expect(said).toMatchObject({ status: 200, body: { body: { executions: [{ execution_id: "r1000" }] } } });
});
