/** A run's log as it stands: what the page opens a run by, from a real server. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CONTENT, type Exchange } from "../../../machines/exchange.ts";
import { Api } from "../../support/api.ts";
import { type House, openHouse, storedRows } from "../../support/house.ts";
import { type Server, startServer } from "../../support/server.ts";

const OUTER = `name: outer
states:
  initial: say
  say: {type: step, command: echo outer, on_success: call}
  call: {type: call_workflow, workflow: inner, on_success: d}
  d: {type: terminal}
`;
const INNER = `name: inner
states:
  initial: say
  say: {type: step, command: echo inner, on_success: d}
  d: {type: terminal}
`;
let house: House;
let server: Server;
beforeEach(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  server = await startServer(house, [], { TROUPE_TRUST: "1" });
});
afterEach(() => house.leave());

/** The rows from the run's first one to its last one. */
const rowsOf = (session: string, run: string): Exchange[] => {
  const all = storedRows(house.store, session);
  const [first, last] = [all.findIndex((row) => row.run === run), all.findLastIndex((row) => row.run === run)];
  return all.slice(first, last + 1);
};

test("an outline has every row's time, and the rows of all but what was said and done", async () => {
  const api = new Api(server);
  const { run, session } = await api.start("hello");
  await api.whole(run);
  const rows = rowsOf(session, run);
  const { status, body } = await api.get(`/api/runs/${run}/outline`);
  expect(status).toBe(200);
  expect(body).toEqual({
    firstSeq: rows[0]?.seq,
    startedAt: rows[0]?.at,
    times: rows.map(({ at }) => at - (rows[0]?.at ?? 0)),
    rows: rows.filter(({ type }) => !CONTENT.includes(type)),
  });
  expect(rows.some(({ type }) => CONTENT.includes(type))).toBe(true);
});

test("the rows of one step, or of a part of the run", async () => {
  const api = new Api(server);
  const { run, session } = await api.start("hello");
  await api.whole(run);
  const rows = rowsOf(session, run);
  const { step = "" } = rows.find(({ type }) => CONTENT.includes(type)) as Exchange;
  const asked = async (query: string): Promise<unknown> => (await api.get(`/api/runs/${run}/rows${query}`)).body;
  expect(await asked("")).toEqual({ rows, next: null });
  const own = rows.filter((row) => row.step === step && row.run === run);
  expect(await asked(`?step=${encodeURIComponent(step)}&of=${run}`)).toEqual({ rows: own, next: null });
  const [after, until] = [rows[0]?.seq ?? 0, rows[2]?.seq ?? 0];
  expect(await asked(`?after=${after}&until=${until}`)).toEqual({ rows: rows.slice(1, 3), next: null });
  expect((await api.get("/api/runs/none/outline")).status).toBe(404);
  expect((await api.get("/api/runs/none/rows")).status).toBe(404);
  expect((await api.get(`/api/runs/${run}/rows?after=x`)).status).toBe(400);
});

test("a step is one of the run itself where no other is named", async () => {
  const api = new Api(server);
  for (const [name, text] of [
    ["outer", OUTER],
    ["inner", INNER],
  ] as const)
    writeFileSync(join(house.cwd, ".troupe", "workflows", `${name}.yaml`), text);
  const { run, session } = await api.start("outer");
  await api.whole(run);
  const rows = rowsOf(session, run);
  const inner = rows.find(({ step, run: other }) => step === "say" && other !== run)?.run;
  const of = async (query: string): Promise<unknown> => (await api.get(`/api/runs/${run}/rows?step=say${query}`)).body;
  for (const [query, whose] of [
    ["", run],
    [`&of=${inner}`, inner],
  ])
    expect(await of(query ?? "")).toEqual({
      rows: rows.filter((row) => row.step === "say" && row.run === whose),
      next: null,
    });
});
