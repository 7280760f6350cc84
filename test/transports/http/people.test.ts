/** Several people over the API: what the user of the server sees of a subject's run, and who has answered. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Anything, Api } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { trust } from "../../support/mcp-host.ts";
import { type Server, SocketClient, startServer } from "../../support/server.ts";

const [OWN, ANN, BOB] = ["o".repeat(32), "a".repeat(32), "b".repeat(32)];
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/talk.yaml"]);
});
afterEach(() => house.leave());

async function people(): Promise<{ [name in "own" | "ann" | "bob"]: Api } & { server: Server }> {
  const file = join(house.root, "tokens");
  writeFileSync(file, `${OWN}\nann ${ANN}\nbob ${BOB}\n`, { mode: 0o600 });
  const server = await startServer(house, ["--token-file", file], { TROUPE_TRUST: "1" });
  return { server, own: new Api(server, OWN), ann: new Api(server, ANN), bob: new Api(server, BOB) };
}

test("the user follows a subject's run as it goes; another subject knows of none", async () => {
  const { own, ann, bob } = await people();
  const { run } = await ann.start("talk");
  const [whole, of] = [await own.events(run, "?whole=true"), await own.events(run)];
  for (const reader of [whole, of]) await reader.hears("input.required");
  expect((await bob.events(run, "?whole=true")).status).toBe(404);
  await ann.post(`/api/runs/${run}/answer`, { text: "" });
  await of.ended;
  await whole.hears("turn.completed");
  expect(of.names.filter((name) => name.startsWith("turn."))).toEqual([]);
  whole.drop();
});

test("the user acts on none of a subject's runs, and hears whose it is", async () => {
  const { own, ann } = await people();
  const { run, session } = await ann.start("talk");
  await (await own.events(run)).hears("input.required");
  const answers = await Promise.all([
    own.post(`/api/runs/${run}/answer`, { text: "" }),
    own.post(`/api/runs/${run}/cancel`),
    own.get(`/api/sessions/${session}/events`),
  ]);
  expect(answers.map(({ status, body }) => [status, (body as Anything).code])).toEqual(
    Array.from({ length: 3 }, () => [403, "USER.SESSION.NOT_YOURS"]),
  );
  expect((answers[0].body as Anything).detail).toContain('the token "ann"');
  await ann.post(`/api/runs/${run}/answer`, { text: "" });
});

test("a host of the user is shown none of a subject's runs", async () => {
  await trust(house, "talk"); // without it there is no tool
  const { own, ann } = await people();
  const { run } = await ann.start("talk");
  await (await ann.events(run)).hears("input.required");
  const params = { name: "troupe_run_list", arguments: {} };
  const accept = { accept: "application/json, text/event-stream" };
  const listed = async (api: Api): Promise<string> =>
    JSON.stringify(await api.ask("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, accept));
  expect([(await listed(ann)).includes(run), (await listed(own)).includes(run)]).toEqual([true, false]);
  await ann.post(`/api/runs/${run}/answer`, { text: "" });
});

test("the log says who has answered, where a token tells it", async () => {
  const { own, ann } = await people();
  for (const [api, told] of [
    [ann, { who: "ann" }],
    [own, {}],
  ] as const) {
    const { run } = await api.start("talk");
    const reader = await api.events(run);
    const { data } = await reader.hears("input.required");
    await api.post(`/api/runs/${run}/answer`, { text: "" });
    const { input } = data["payload"] as { input: string };
    expect((await reader.hears("input.answered")).data["payload"]).toEqual({ input, text: "", ...told });
    await reader.ended;
  }
});

test("so it does of answers over ACP and MCP", async () => {
  await trust(house, "talk"); // without it there is no tool
  const { server, ann } = await people();
  const headers = { authorization: `Bearer ${ANN}` };
  const client = await SocketClient.ready(server.url, { headers });
  const session = await client.session(house.cwd);
  await client.prompt(session, "/talk");
  await client.prompt(session, "over ACP");
  const events = await ann.sessionEvents(session);
  const { data } = await events.hears("input.answered");
  expect(data["payload"]).toMatchObject({ text: "over ACP", who: "ann" });
  const params = { name: "troupe_run_answer", arguments: { run: data["run"], text: "" } };
  const accept = { accept: "application/json, text/event-stream" };
  await ann.ask("POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, accept);
  const last = await events.sees(({ event, data: row }) => event === "input.answered" && row !== data);
  expect(last.data["payload"]).toMatchObject({ text: "", who: "ann" });
  events.drop();
  await client.leave();
});
