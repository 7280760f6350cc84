/** Many clients of one server: whose answers, updates and questions are whose. Both ends are processes of their own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { faultsOf } from "../../support/acp-schema.ts";
import { childrenOf, type House, openHouse, storedRows } from "../../support/house.ts";
import { type Message, outcomeOf, type Server, SocketClient, startServer, updatesOf } from "../../support/server.ts";

const TRUST = { TROUPE_TRUST: "1" };
let house: House;
const clients: SocketClient[] = [];
beforeEach(() => {
  house = openHouse([
    "acceptance/hello.yaml",
    "acceptance/gate.yaml",
    "acceptance/talk.yaml",
    "acceptance/asleep.yaml",
  ]);
});
afterEach(async () => {
  for (const client of clients.splice(0)) expect(faultsOf(client.trace, ["agent"])).toEqual([]);
  await house.leave();
});
const ready = async (server: Server, headers: { [name: string]: string } = {}): Promise<SocketClient> => {
  const client = await SocketClient.ready(server.url, { headers });
  clients.push(client);
  return client;
};
const load = (client: SocketClient, sessionId: string, method = "session/load") =>
  client.request(method, { sessionId, cwd: house.cwd, mcpServers: [] });
const answer = (client: SocketClient, asked: Message, optionId: string | null): void =>
  client.send({ jsonrpc: "2.0", id: asked["id"], result: { outcome: outcomeOf(optionId) } });
const mentions = (client: SocketClient, text: string): number =>
  client.trace.filter(({ from, message }) => from === "agent" && JSON.stringify(message).includes(text)).length;
const completed = (session: string) =>
  storedRows(house.store, session).flatMap((row) => (row.type === "turn.completed" ? [row.payload] : []));

test("S19, S20: with the same request ids each gets the answers and updates of its own (T18)", async () => {
  const server = await startServer(house, [], TRUST);
  const [a, b] = [await ready(server), await ready(server)];
  const [sa, sb] = await Promise.all([a.session(house.cwd), b.session(house.cwd)]);
  expect(sa).not.toBe(sb);
  const id = "same";
  const params = (sessionId: string, text: string) => ({ sessionId, prompt: [{ type: "text", text }] });
  const [ra, rb] = await Promise.all([
    a.request("session/prompt", params(sa, "/hello"), id),
    b.request("session/prompt", params(sb, "/nothing-of-this-name"), id),
  ]);
  expect([ra.result, rb.result]).toMatchObject([
    { stopReason: "end_turn" },
    { stopReason: "end_turn", _meta: { "troupe/error": { code: "USER.FACADE.WORKFLOW_NOT_FOUND" } } },
  ]);
  expect([mentions(a, sb), mentions(b, sa)]).toEqual([0, 0]);
});

test("several viewers see the same order, the one that comes late too; who opened the session sees what others prompt", async () => {
  const server = await startServer(house, [], TRUST);
  const [a, b, c] = [await ready(server), await ready(server), await ready(server)];
  const session = await a.session(house.cwd);
  await a.prompt(session, "/hello");
  await load(b, session);
  await b.prompt(session, "/hello");
  await load(c, session);
  // Cards are paced, and what a client prompts itself is not echoed to it: what is compared is what appears when.
  const shown = (client: SocketClient): string[] => {
    const kinds = updatesOf(client, session).map(({ sessionUpdate, toolCallId, content }) =>
      toolCallId === undefined ? `${sessionUpdate} ${JSON.stringify(content)}` : `card ${toolCallId}`,
    );
    return [...new Set(kinds)].filter((kind) => !/^(user_message|available_commands|plan)/.test(kind));
  };
  await expect.poll(() => shown(a)).toEqual(shown(c));
  expect(shown(b)).toEqual(shown(c));
  expect(shown(c).length).toBeGreaterThan(3);
  const said = (client: SocketClient) =>
    updatesOf(client, session).filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk").length;
  expect([said(a), said(b), said(c)]).toEqual([1, 1, 2]);
});

describe("a question", () => {
  test("is asked of who prompted; an answer of another connection under the same id is nothing (T17)", async () => {
    const server = await startServer(house, [], TRUST);
    const [a, b] = [await ready(server), await ready(server)];
    const session = await a.session(house.cwd);
    await load(b, session);
    const done = a.prompt(session, "/gate");
    const asked = (await a.asked()).message;
    await b.hears("May the gate be opened?"); // it sees the card
    answer(b, asked, "allow");
    // Answered in order: what b sent before has been looked at.
    await b.request("session/list", {});
    expect(mentions(b, "session/request_permission")).toBe(0);
    expect(completed(session)).toEqual([]);
    answer(a, asked, "deny");
    answer(a, asked, "allow");
    expect(await done).toMatchObject({ result: { stopReason: "end_turn" } });
    const resolved = storedRows(house.store, session).filter(({ type }) => type === "permission.resolved");
    expect(resolved).toMatchObject([{ payload: { outcome: "selected", option: "deny" } }]);
  });

  test("goes to the next connection when the one that was asked leaves, and the turn continues (D12, S27)", async () => {
    const server = await startServer(house, [], TRUST);
    const [a, b] = [await ready(server), await ready(server)];
    const session = await a.session(house.cwd);
    await load(b, session);
    a.prompt(session, "/gate");
    await a.asked();
    a.ws.terminate();
    const asked = (await b.asked()).message;
    answer(b, asked, "allow");
    await b.hears("The gate is open.");
    await expect.poll(() => completed(session)).toMatchObject([{ stopReason: "end_turn" }]);
    const types = storedRows(house.store, session)
      .map(({ type }) => type)
      .filter((type) => type.startsWith("permission"));
    expect(types).toEqual(["permission.requested", "permission.requested", "permission.resolved"]);
  });

  test.each(["session/load", "session/resume"])("waits for who comes back within the grace, by %s", async (method) => {
    const server = await startServer(house, ["--limit", "disconnectGraceMs=60000"], TRUST);
    const a = await ready(server);
    const session = await a.session(house.cwd);
    a.prompt(session, "/gate");
    await a.asked();
    await a.leave();
    const b = await ready(server);
    await load(b, session, method);
    answer(b, (await b.asked()).message, "allow");
    await b.hears("The gate is open.");
    await expect.poll(() => completed(session)).toMatchObject([{ stopReason: "end_turn" }]);
    expect(mentions(b, "session/request_permission")).toBe(1);
  });
});

describe("a lost connection (D5)", () => {
  test("ends what runs, and its processes, after the grace", async () => {
    const server = await startServer(house, ["--limit", "disconnectGraceMs=100"], TRUST);
    const a = await ready(server);
    const session = await a.session(house.cwd);
    a.prompt(session, "/asleep");
    await a.hears("asleep now");
    a.ws.terminate();
    await expect.poll(() => completed(session)).toMatchObject([{ stopReason: "cancelled" }]);
    await expect.poll(() => childrenOf(server.process.owner).length).toBe(0);
  });

  test("leaves what is parked to the next client", async () => {
    const server = await startServer(house, [], TRUST);
    const a = await ready(server);
    const session = await a.session(house.cwd);
    expect(await a.prompt(session, "/talk")).toMatchObject({ result: { stopReason: "end_turn" } });
    await a.leave();
    const b = await ready(server);
    const { result } = await b.request("session/list", {});
    expect(result).toMatchObject({ sessions: [{ sessionId: session, _meta: { "troupe/state": "parked" } }] });
    await load(b, session);
    await b.prompt(session, "a word");
    expect(await b.prompt(session, "")).toMatchObject({ result: { stopReason: "end_turn" } });
    await b.hears("bye");
  });

  test("of one of two viewers changes nothing for the other", async () => {
    const server = await startServer(house, [], TRUST);
    const [a, b] = [await ready(server), await ready(server)];
    const session = await a.session(house.cwd);
    await load(b, session);
    const done = a.prompt(session, "/gate");
    const asked = (await a.asked()).message;
    await b.leave();
    answer(a, asked, "allow");
    expect(await done).toMatchObject({ result: { stopReason: "end_turn" } });
  });
});

test("T17: sessions belong to a principal; those of another are unknown", async () => {
  const tokens = join(house.root, "tokens");
  const [own, theirs] = ["o".repeat(32), "t".repeat(32)];
  writeFileSync(tokens, `${own}\nmallory ${theirs}\n`, { mode: 0o600 });
  const server = await startServer(house, ["--token-file", tokens], TRUST);
  const a = await ready(server, { authorization: `Bearer ${own}` });
  const b = await ready(server, { authorization: `Bearer ${theirs}` });
  const session = await a.session(house.cwd);
  const done = a.prompt(session, "/gate");
  const asked = (await a.asked()).message;
  const at = { sessionId: session, cwd: house.cwd, mcpServers: [] };
  const prompt = { sessionId: session, prompt: [{ type: "text", text: "/hello" }] };
  for (const [method, params] of [
    ["session/load", at],
    ["session/resume", at],
    ["session/prompt", prompt],
    ["session/close", { sessionId: session }],
  ] as const)
    expect([method, (await b.request(method, params)).error?.code]).toEqual([method, -32002]);
  expect(await b.request("session/delete", { sessionId: session })).toMatchObject({ result: {} });
  expect(await b.request("session/list", {})).toMatchObject({ result: { sessions: [] } });
  b.notify("session/cancel", { sessionId: session });
  answer(b, asked, "allow");
  await b.request("session/list", {});
  answer(a, asked, "allow");
  expect(await done).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(b.trace.filter(({ from, message }) => from === "agent" && "method" in message)).toEqual([]);
  expect(await a.request("session/list", {})).toMatchObject({ result: { sessions: [{ sessionId: session }] } });
});
