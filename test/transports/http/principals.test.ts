/** Runs and sessions belong to whose token started them: to another subject they do not exist. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Anything, Api, type Said } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { type Server, startServer } from "../../support/server.ts";

const [OWN, ANN, MALLORY] = ["o".repeat(32), "a".repeat(32), "m".repeat(32)];
let house: House;
let server: Server;
let ann: Api;
let mallory: Api;
let owner: Api;
beforeAll(async () => {
  house = openHouse(["acceptance/talk.yaml", "acceptance/gate.yaml"]);
  const file = join(house.root, "tokens");
  writeFileSync(file, `${OWN}\nann ${ANN}\nmallory ${MALLORY}\n`, { mode: 0o600 });
  server = await startServer(house, ["--token-file", file], { TROUPE_TRUST: "1" });
  [owner, ann, mallory] = [new Api(server, OWN), new Api(server, ANN), new Api(server, MALLORY)];
});
afterAll(() => house.leave());
const codes = (said: readonly Said[]): unknown[] => said.map(({ status, body }) => [status, (body as Anything)?.code]);

test("another subject sees no run, and changes none; who started it does", async () => {
  const { run, session } = await ann.start("talk");
  const reader = await ann.events(run);
  await reader.hears("input.required");
  const unknown = [404, "USER.RUN.NOT_FOUND"];
  const asked = (api: Api): Promise<Said>[] => [
    api.get(`/api/runs/${run}`),
    api.get(`/api/runs/${run}/events`),
    api.get(`/api/executions/${run}/events`),
    api.post(`/api/runs/${run}/answer`, { text: "x" }),
    api.post(`/api/executions/${run}/respond`, { response: { Value: "x" } }),
    api.post(`/api/runs/${run}/decide`, { permission: "p", option: null }),
    api.post(`/api/runs/${run}/resume`),
    api.post(`/api/runs/${run}/cancel`),
  ];
  expect(codes(await Promise.all(asked(mallory)))).toEqual(Array.from({ length: 8 }, () => unknown));
  const sessions = await Promise.all([
    mallory.get(`/api/sessions/${session}/events`),
    mallory.post(`/api/sessions/${session}/decide`, { permission: "p", option: null }),
  ]);
  expect(codes(sessions)).toEqual([404, 404].map((status) => [status, "USER.SESSION.UNKNOWN"]));
  expect((await mallory.ask("DELETE", `/api/executions/${run}`)).status).toBe(204);
  for (const path of ["/api/runs", "/api/executions", "/api/history"])
    expect(JSON.stringify((await mallory.get(path)).body)).not.toContain(run);
  expect(JSON.stringify((await ann.get("/api/runs")).body)).toContain(run);
  expect(await ann.run(run)).toMatchObject({ status: "parked", startedBy: "ann" });
  expect((await ann.post(`/api/runs/${run}/answer`, { text: "" })).status).toBe(202);
  await reader.ended;
});

test("a permission is decided by no one else", async () => {
  const { run, session } = await ann.start("gate");
  const reader = await ann.events(run);
  const { data } = await reader.hears("permission.requested");
  const { permission } = data["payload"] as { permission: string };
  const theirs = await mallory.start("gate");
  const said = await Promise.all([
    mallory.post(`/api/runs/${run}/decide`, { permission, option: "allow" }),
    mallory.post(`/api/sessions/${session}/decide`, { permission, option: "allow" }),
    mallory.post(`/api/sessions/${theirs.session}/decide`, { permission, option: "allow" }),
  ]);
  expect(said.map(({ status }) => status)).toEqual([404, 404, 409]);
  expect(reader.names).not.toContain("permission.resolved");
  expect((await ann.post(`/api/runs/${run}/decide`, { permission, option: "allow" })).status).toBe(204);
  await reader.ended;
  const resolved = reader.events.map(({ data }) => data as Anything).find(({ type }) => type === "permission.resolved");
  expect(resolved.payload).toEqual({ permission, outcome: "selected", option: "allow", who: "ann" });
});

test("the user of the server sees the runs of all in the history, and no token means nothing at all", async () => {
  const { run } = await ann.start("talk");
  expect(JSON.stringify((await owner.get("/api/runs")).body)).toContain(run);
  const nobody = await new Api(server).get(`/api/runs/${run}`);
  expect([nobody.status, nobody.type, nobody.headers.get("www-authenticate")]).toEqual([
    401,
    "application/problem+json",
    "Bearer",
  ]);
});
