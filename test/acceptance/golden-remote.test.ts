/** The golden log through every remote face: ACP on a socket and over HTTP, the API and its events. */
import { client as acpClient, methods } from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { Api } from "../support/api.ts";
import { linesOf } from "../support/golden.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { type Server, SocketClient, startServer } from "../support/server.ts";

const PROMPT = '/golden name="Ada"';
const LOG = "./golden/log.jsonl";
let house: House;
let server: Server;
beforeEach(async () => {
  house = openHouse(["golden/golden.yaml"]);
  server = await startServer(house, [], { TROUPE_TRUST: "1" });
});
afterEach(() => house.leave());

test("ACP on a socket shows the golden log", async () => {
  const client = await SocketClient.ready(server.url);
  const session = await client.session(house.cwd);
  expect(await client.prompt(session, PROMPT)).toMatchObject({ result: { stopReason: "end_turn" } });
  await client.leave();
  await expect(linesOf(storedRows(house.store, session), house.cwd)).toMatchFileSnapshot(LOG);
});

test("ACP over HTTP shows the golden log", async () => {
  const stream = createHttpStream(`http://127.0.0.1:${server.port}/acp`);
  const session = await acpClient({ name: "far" })
    .onNotification(methods.client.session.update, () => undefined)
    .connectWith(stream, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd: house.cwd, mcpServers: [] });
      const prompt = [{ type: "text" as const, text: PROMPT }];
      expect(await agent.request(methods.agent.session.prompt, { sessionId, prompt })).toMatchObject({
        stopReason: "end_turn",
      });
      return sessionId;
    });
  await expect(linesOf(storedRows(house.store, session), house.cwd)).toMatchFileSnapshot(LOG);
});

test("the API and its events show the golden log, live and replayed", async () => {
  const api = new Api(server);
  const { run, session } = await api.start("golden", { inputs: { name: "Ada" } });
  const [live, ofRun] = [await api.sessionEvents(session), await api.whole(run)];
  await live.hears("turn.completed");
  const replayed = await api.sessionEvents(session, "?live=false");
  await replayed.hears("turn.completed");
  for (const reader of [live, replayed]) {
    reader.drop();
    const rows = reader.events.filter(({ id }) => id !== undefined).map(({ data }) => data as unknown as Exchange);
    await expect(linesOf(rows, house.cwd)).toMatchFileSnapshot(LOG);
  }
  expect(ofRun.seqs).toEqual(
    storedRows(house.store, session)
      .filter((row) => row.run === run)
      .map(({ seq }) => seq),
  );
});
