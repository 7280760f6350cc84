/** Which runs a host is shown. */
import { expect, test } from "vitest";
import type { HistoryQuery, RunRecord, Troupe } from "../../../../actors/troupe.ts";
import type { McpServed } from "../../../../transports/mcp/served.ts";
import { runsHere } from "../../../../transports/mcp/tools/runs.ts";

test("runs of the served directory are listed however many of others have begun after them", async () => {
  const cwds = [...Array.from({ length: 1_000 }, () => "/other"), "/here", "/here/below", "/here"];
  const runs = cwds.map((cwd, n) => ({ id: `r${n}`, cwd })) as unknown as RunRecord[];
  const history = async ({ cwd, limit = 20 }: HistoryQuery): Promise<RunRecord[]> =>
    runs.filter((run) => cwd === undefined || run.cwd === cwd).slice(0, limit);
  const served = { troupe: { history } as unknown as Troupe, cwd: "/here" } as McpServed;
  expect((await runsHere(served, { limit: 5 })).map(({ id }) => id)).toEqual(["r1000", "r1002"]);
});
