/**
 * The golden workflow on a socket: the same log, row by row, and the same updates as over standard input and output.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { faultsOf } from "../support/acp-schema.ts";
import { linesOf, normaliser, screenOf, shownIn } from "../support/golden.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { SocketClient, startServer } from "../support/server.ts";

const PROMPT = '/golden name="Ada"';
let house: House;
beforeEach(() => {
  house = openHouse(["golden/golden.yaml"]);
});
afterEach(() => house.leave());

test("G1 to G3 on a socket: the same log, the same updates at loading, the same screen", async () => {
  const server = await startServer(house, [], { TROUPE_TRUST: "1" });
  const [first, second] = [await SocketClient.ready(server.url), await SocketClient.ready(server.url)];
  const session = await first.session(house.cwd);
  expect(await first.prompt(session, PROMPT)).toMatchObject({ result: { stopReason: "end_turn" } });
  await second.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  await Promise.all([first.leave(), second.leave()]);
  expect([...faultsOf(first.trace), ...faultsOf(second.trace)]).toEqual([]);

  const rows = storedRows(house.store, session);
  await expect(linesOf(rows, house.cwd)).toMatchFileSnapshot("./golden/log.jsonl");
  const normal = normaliser(rows, house.cwd);
  const shown = shownIn(second.trace);
  await expect(`${shown.map((update) => normal(update)).join("\n")}\n`).toMatchFileSnapshot("./golden/updates.jsonl");
  expect(screenOf(shownIn(first.trace))).toEqual(
    screenOf(shown.filter((update) => update["sessionUpdate"] !== "user_message_chunk")),
  );
});
