/**
 * Three nodes, two workers, two gateways, and an editor: a workflow of two agents goes on though the machines under it
 * die, and nobody can tell from its log.
 *
 * A1. The log is the same, row by row, as that of one process on one machine, `seq` included.
 * A2. The editor that comes back sees every word once.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { Api } from "../../support/api.ts";
import { Cluster } from "../../support/cluster.ts";
import { linesOf } from "../../support/golden.ts";
import { type House, openHouse, storedRows } from "../../support/house.ts";
import { SocketClient, startServer, updatesOf } from "../../support/server.ts";

const WRITTEN = "Dear Ada, this is a line. It is written.";
const READ = "I have read it. ";
let houses: House[];
beforeEach(() => {
  houses = [];
});
afterEach(async () => {
  for (const house of houses) await house.leave();
});
const enter = (): House => {
  const house = openHouse(["cluster/two-agents.yaml"]);
  houses.push(house);
  return house;
};
/** The log as it is compared; ids of questions are random too. */
const logOf = (rows: readonly Exchange[], { cwd }: House): string =>
  linesOf(rows, cwd).replaceAll(/"input":"[\w-]{12}"/g, '"input":"<input>"');
const saidTo = (client: SocketClient, session: string): string =>
  updatesOf(client, session)
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => (content as { text: string }).text)
    .join("");
const marks = ({ cwd }: House): string => readFileSync(join(cwd, "marks"), "utf8");

/** On one machine, with an editor that leaves and comes back. */
async function embedded(house: House): Promise<string> {
  const server = await startServer(house, [], { TROUPE_TRUST: "1" });
  const editor = await SocketClient.ready(server.url);
  const session = await editor.session(house.cwd);
  await editor.prompt(session, "/two-agents");
  await editor.leave();
  const again = await SocketClient.ready(server.url);
  await again.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  await again.prompt(session, "send");
  return logOf(storedRows(house.store, session), house);
}

test("a worker is killed, then the editor's gateway and its node: another gateway goes on (A1, A2)", async () => {
  const house = enter();
  const cluster = await Cluster.open(house);
  const [gatewayA, gatewayB] = [await cluster.gateway(0), await cluster.gateway(1)];
  const first = await cluster.worker(0);
  const editor = await SocketClient.ready(gatewayA.url);
  const session = await editor.session(house.cwd);
  expect(await editor.prompt(session, "/two-agents")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(saidTo(editor, session)).toContain(WRITTEN);

  const second = await cluster.worker(1);
  first.kill();
  await first.ended;
  gatewayA.process.kill();
  await cluster.kill(0);
  await editor.closed;

  const again = await SocketClient.ready(gatewayB.url);
  const loaded = await again.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  expect(loaded.error).toBeUndefined();
  expect(saidTo(again, session).split(WRITTEN)).toHaveLength(2);
  expect(await again.prompt(session, "send")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(saidTo(again, session).split(READ)).toHaveLength(2);
  expect(marks(house)).toBe("send\n");

  const reader = await new Api(gatewayB).sessionEvents(session, "?live=false");
  await reader.hears("turn.completed");
  const rows = reader.events.filter(({ id }) => id !== undefined).map(({ data }) => data as unknown as Exchange);
  const log = logOf(rows, house);
  await expect(log).toMatchFileSnapshot("./golden/two-agents.jsonl");
  expect(log).toBe(await embedded(enter()));
  expect(second.child.exitCode).toBeNull();
});
