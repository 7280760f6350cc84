/** A worker is killed between two pieces of a word: an editor at a gateway, and whoever loads the session, see each kept word once. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Exchange, isText, type TextPayload } from "../../machines/exchange.ts";
import { Api } from "../support/api.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { type Server, SocketClient, startServer, updatesOf } from "../support/server.ts";
import type { Started } from "../support/started.ts";

const [ENGINE = "", ADMIN = "", WORKER = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");
const WHOLE = "one two three four five six seven eight nine ten eleven twelve.";
const FOLDER = { TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "", TROUPE_TRUST: "1" };

let house: House;
beforeEach(() => {
  house = openHouse(["cluster/words.yaml"]);
});
afterEach(() => house.leave());

const worker = async (): Promise<Started> => {
  const one = house.troupe(["worker", "--engine", ENGINE, "--admin", ADMIN, "--listen", WORKER], FOLDER);
  while (!one.stderr.includes("works for")) await new Promise((resolve) => setTimeout(resolve, 10));
  return one;
};
const saidTo = (client: SocketClient, session: string): string =>
  updatesOf(client, session)
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => (content as { text: string }).text)
    .join("");
const rowsOf = async (server: Server, session: string): Promise<Exchange[]> => {
  const reader = await new Api(server).sessionEvents(session, "?live=false");
  await reader.hears("turn.completed");
  return reader.events.filter(({ id }) => id !== undefined).map(({ data }) => data as unknown as Exchange);
};

/** Throws where a piece does not begin at the end of the one before. */
const textOf = (pieces: readonly TextPayload[]): string =>
  pieces.reduce((text, piece) => {
    expect(piece.offset).toBe(text.length);
    return text + piece.text;
  }, "");
/** Text that comes in several rows counts as one. */
const typesOf = (rows: readonly Exchange[]): string[] =>
  rows.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
/** The same on one machine, where nothing is killed. */
async function embedded(): Promise<Exchange[]> {
  const server = await startServer(house, [], FOLDER);
  const editor = await SocketClient.ready(server.url);
  const session = await editor.session(house.cwd);
  await editor.prompt(session, "/words");
  return storedRows(house.store, session);
}

test("kill -9 between two pieces of a word: each kept word is seen once, and the turn ends with the whole text", async () => {
  const server = await startServer(house, ["--engine", ENGINE], FOLDER);
  const first = await worker();
  const editor = await SocketClient.ready(server.url);
  const session = await editor.session(house.cwd);
  const turn = editor.prompt(session, "/words");
  while (!saidTo(editor, session).includes("two t")) await new Promise((resolve) => setTimeout(resolve, 5));
  first.kill();
  await first.ended;
  await worker();
  expect(await turn).toMatchObject({ result: { stopReason: "end_turn" } });

  const rows = await rowsOf(server, session);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  const blocks = Map.groupBy(
    rows.flatMap((row) => (isText(row) ? [row.payload] : [])),
    ({ block }) => block,
  );
  const [begun = "", again, ...more] = [...blocks.values()].map(textOf);
  expect([WHOLE.startsWith(begun), begun === "", begun === WHOLE, again, more]).toEqual([
    true,
    false,
    false,
    WHOLE,
    [],
  ]);

  const seen = saidTo(editor, session);
  const live = seen.slice(0, seen.length - WHOLE.length); // it may have seen more of the first try than was kept
  expect([seen.endsWith(WHOLE), WHOLE.startsWith(live), live.startsWith(begun)]).toEqual([true, true, true]);

  const later = await SocketClient.ready(server.url);
  await later.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  expect(saidTo(later, session)).toBe(begun + WHOLE);
  expect(typesOf(rows)).toEqual(typesOf(await embedded()));
}, 60_000);
