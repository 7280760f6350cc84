/** A server that is asked to end lets what runs come to its end, as long as `drainMs` says, and begins nothing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Anything, Api } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { SocketClient, startServer } from "../../support/server.ts";

const WAITS = `name: waits
states:
  initial: wait
  wait: {type: step, command: "echo waits; until [ -e go ]; do sleep 0.05; done", on_success: done}
  done: {type: terminal}
`;
const TRUST = { TROUPE_TRUST: "1" };
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/talk.yaml"]);
  writeFileSync(join(house.cwd, ".troupe", "workflows", "waits.yaml"), WAITS);
});
afterEach(() => house.leave());

test("what runs ends as it would; what would begin is refused, with words that say why", async () => {
  const server = await startServer(house, ["--limit", "drainMs=60000"], TRUST);
  const api = new Api(server);
  const parked = await api.start("talk");
  await (await api.events(parked.run)).hears("input.required");
  const client = await SocketClient.ready(server.url);
  const session = await client.session(house.cwd);
  const turn = client.prompt(session, "/waits");
  await client.hears("waits\\n");
  server.process.child.kill("SIGTERM");
  await expect.poll(async () => (await api.get("/readyz")).status).toBe(503);

  const refused = { status: 503, body: { code: "USER.SERVE.CLOSING" } };
  expect(await api.post("/api/runs", { workflow: "hello" })).toMatchObject(refused);
  expect(await api.post(`/api/runs/${parked.run}/answer`, { text: "on" })).toMatchObject(refused);
  const other = await client.session(house.cwd);
  expect(await client.prompt(other, "/hello")).toMatchObject({ error: { data: { code: "USER.SERVE.CLOSING" } } });
  await expect(SocketClient.open(server.url)).rejects.toThrow("503");

  writeFileSync(join(house.cwd, "go"), "");
  expect(await turn).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(await client.closed).toMatchObject({ code: 1001 });
  expect(await server.process.ended).toEqual({ code: 0, signal: null });
  const again = new Api(await startServer(house, [], TRUST));
  const { runs } = (await again.get("/api/runs")).body as Anything;
  expect(runs.map(({ workflow, status }: Anything) => [workflow, status])).toEqual([
    ["waits", "completed"],
    ["talk", "parked"],
  ]);
});

test("what takes longer is ended", async () => {
  const server = await startServer(house, ["--limit", "drainMs=300"], TRUST);
  const api = new Api(server);
  const { run } = await api.start("waits");
  await (await api.events(run)).hears("step.started");
  server.process.child.kill("SIGTERM");
  expect(await server.process.ended).toEqual({ code: 0, signal: null });
  const again = new Api(await startServer(house, [], TRUST));
  expect(await again.run(run)).toMatchObject({ status: "cancelled" });
});
